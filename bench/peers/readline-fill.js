// @ts-check
// What a user would write to fill in defaults: readline, JSON.parse, Ajv with useDefaults, JSON.stringify. Payloads go
// to standard output, one per line.
//
//     node bench/peers/readline-fill.js FILE
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Ajv2020 } from 'ajv/dist/2020.js';

const [file] = process.argv.slice(2);

/** @param {string} name */
const readSchema = (name) =>
  JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8'));

const ajv = new Ajv2020({ useDefaults: true, strict: false });
for (const name of ['content-item', 'contract', 'emoji']) ajv.addSchema(readSchema(name));
const validate = ajv.compile(readSchema('payload'));

const lines = createInterface({ input: createReadStream(file ?? ''), crlfDelay: Number.POSITIVE_INFINITY });
let text = '';
for await (const line of lines) {
  if (line === '') continue;
  const payload = JSON.parse(line);
  validate(payload);
  text += `${JSON.stringify(payload)}\n`;
  if (text.length < 1 << 16) continue;
  process.stdout.write(text);
  text = '';
}
process.stdout.write(text);
