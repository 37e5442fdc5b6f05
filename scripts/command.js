// What dist/main.cjs holds: the command line, and what bin/paylint.js needs of its own. One file is loaded faster than two.
export { standardOutput } from '../bin/standard-output.js';
export { main, work } from '../src/main.ts';
