// @ts-check
// One JSON array, read and parsed. Prints its number of elements.
//
//     node bench/peers/json-parse-array.js FILE
import { readFileSync } from 'node:fs';

const elements = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
console.error(`${elements.length} payloads, 0 invalid`);
