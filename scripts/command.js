// The content of dist/main.cjs: the command line, and the other modules that bin/paylint.js needs. One file is loaded
// faster than two.
export { standardError, standardOutput } from '../bin/standard-output.js';
export { main, work } from '../src/main.ts';
