// @ts-check
// What a user would write without checks: readline, JSON.parse, Ajv, and the five comparisons of bench/checks.config.json. Prints how many payloads there
// are, and how many are invalid.
//
//     node bench/peers/readline-checks.js FILE
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** @param {string} name */
const readSchema = (name) =>
  JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8'));

const ajv = new Ajv2020({ strict: false });
for (const name of ['content-item', 'contract', 'emoji']) ajv.addSchema(readSchema(name));
const validate = ajv.compile(readSchema('payload'));

/** @type {((payload: any) => boolean)[]} as JSON.parse returns it */
const checks = [
  ({ coverage }) => coverage.minAge <= coverage.maxAge,
  ({ customer, coverage }) => customer === undefined || customer['@id'] === coverage.customer['@id'],
  ({ coverage }) => coverage.monthlyIandPHours + coverage.monthlyDynamicModerationHours <= 1000,
  ({ name, contactName }) => name !== contactName,
  ({ active, coverage }) => coverage.subLocation.length <= 8 || active,
];

let payloads = 0;
let invalid = 0;
const lines = createInterface({ input: createReadStream(process.argv[2] ?? ''), crlfDelay: Number.POSITIVE_INFINITY });
for await (const line of lines) {
  if (line === '') continue;
  payloads++;
  const payload = JSON.parse(line);
  if (!validate(payload) || !checks.every((check) => check(payload))) invalid++;
}
console.error(`${payloads} payloads, ${invalid} invalid`);
