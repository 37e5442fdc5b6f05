// Replaces, in the bundle, a module of Node that a package loads and paylint does not use.
export default {};
