// @ts-check
// What a user would write for another schema without paylint: readline, JSON.parse and Ajv, for a verdict only. Prints how
// many payloads there are, and how many are invalid.
//
//     node bench/peers/readline-ajv-schema.js SCHEMA FILE
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const [schemaFile = '', file = ''] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(schemaFile, 'utf8'));
const draft = String(schema.$schema);
const Class = draft.includes('2020-12') ? Ajv2020 : draft.includes('2019-09') ? Ajv2019 : Ajv;
const ajv = new Class({ strict: false, logger: false, unicodeRegExp: false });
addFormats.default(ajv);
const validate = ajv.compile(schema);

let payloads = 0;
let invalid = 0;
const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
for await (const line of lines) {
  if (line === '') continue;
  payloads++;
  if (!validate(JSON.parse(line))) invalid++;
}
console.error(`${payloads} payloads, ${invalid} invalid`);
