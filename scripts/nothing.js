// Replaces, in the bundle, a module that a package loads and paylint does not use.
export default {};
