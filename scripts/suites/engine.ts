// The parts of paylint that the suites judge by themselves: schema files to kinds, and one payload to its findings.
// scripts/suites/json-schema-test-suite.js bundles this, since the oldest Node that paylint runs on knows no TypeScript.
export { Examiner } from '../../src/examine/examine.ts';
export { locate } from '../../src/json/locate.ts';
export { compileKinds } from '../../src/schema/compile.ts';
export { loadSchemas, SchemaError } from '../../src/schema/load.ts';
