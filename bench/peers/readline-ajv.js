// @ts-check
// What a user would write without paylint: readline, JSON.parse and Ajv. Prints how many payloads there are, and how many are
// invalid; with `--errors` every error of every payload as NDJSON on stdout before that.
//
//     node bench/peers/readline-ajv.js FILE [--errors]
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Ajv2020 } from 'ajv/dist/2020.js';

const [file, flag] = process.argv.slice(2);
const allErrors = flag === '--errors';

/** @param {string} name */
const readSchema = (name) =>
  JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8'));

const ajv = new Ajv2020({ allErrors, strict: false });
for (const name of ['content-item', 'contract', 'emoji']) ajv.addSchema(readSchema(name));
const validate = ajv.compile(readSchema('payload'));

let payloads = 0;
let invalid = 0;
const lines = createInterface({ input: createReadStream(file ?? ''), crlfDelay: Number.POSITIVE_INFINITY });
for await (const line of lines) {
  if (line === '') continue;
  payloads++;
  if (validate(JSON.parse(line))) continue;
  invalid++;
  if (!allErrors) continue;
  for (const error of validate.errors ?? []) console.log(JSON.stringify({ line: payloads, ...error }));
}
console.error(`${payloads} payloads, ${invalid} invalid`);
