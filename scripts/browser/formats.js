// What `paylint/validate` loads if a schema has a format that needs it: international host names, and formats of Ajv.
export { default } from 'ajv-formats';
export { hostname, idnEmail, idnHostname } from '../../src/schema/formats/idna.ts';
