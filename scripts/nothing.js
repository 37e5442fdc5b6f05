// Stands in the bundle for a module of Node that a package loads and paylint has no use for.
export default {};
