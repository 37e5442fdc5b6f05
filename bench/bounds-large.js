// @ts-check
// Rows for `bounds.js`: one document of 160 MB, a collection of a million features. One violation in it must not make the run much slower, nor
// much larger, than none.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeRepeated } from './bounds-signals.js';
import { measure } from './measure.js';
import { PAYLINT } from './paylint.js';

const FEATURE = {
  type: 'Feature',
  id: 1_000_000,
  properties: { name: 'a road between two villages', kind: 'road', lanes: 2 },
  geometry: { type: 'Point', coordinates: [13.4050123, 52.5200456] },
};
const WRONG = { ...FEATURE, properties: { ...FEATURE.properties, lanes: 'two' } };
const FEATURES = 1_000_000;
/** Of the run that finds the violation. */
const MOST_BYTES = 450e6;

const coordinates = { type: 'array', minItems: 2, items: { type: 'number' } };
const properties = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 60 }, kind: { enum: ['road', 'path'] }, lanes: { type: 'integer' } },
};
const items = {
  type: 'object',
  required: ['type', 'properties', 'geometry'],
  properties: {
    type: { const: 'Feature' },
    properties,
    geometry: { required: ['type', 'coordinates'], properties: { coordinates } },
  },
};
const SCHEMA = { type: 'object', required: ['features'], properties: { features: { type: 'array', items } } };

/** @param {string} folder @param {string} label @param {unknown} last @param {number} exitCode @returns {import('./measure.js').Command} */
function command(folder, label, last, exitCode) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 's.json'), JSON.stringify(SCHEMA));
  writeRepeated(join(folder, `${label}.json`), {
    before: '{"type":"FeatureCollection","features":[\n',
    item: `${JSON.stringify(FEATURE)},\n`,
    times: FEATURES,
    after: `${JSON.stringify(last)}]}\n`,
  });
  const flags = ['--no-config', '--schema', 's.json', '--max-payload-bytes', '400M', '--quiet'];
  return { label, argv: [...PAYLINT, 'validate', ...flags, `${label}.json`], cwd: folder, exitCode };
}

/** @type {readonly import('./bounds.js').Row[]} */
export const LARGE_ROWS = [
  {
    name: 'large-document',
    title: 'one document with a million features, of which the last is invalid, by the same with a valid one',
    most: 2.5,
    commands: (folder) => ({
      ours: command(folder, 'invalid', WRONG, 1),
      theirs: command(folder, 'valid', FEATURE, 0),
    }),
  },
  {
    name: 'large-document-memory',
    title: 'memory for that document',
    most: 1,
    async figures(folder, rounds) {
      const wrong = command(folder, 'invalid', WRONG, 1);
      let peak = Number.POSITIVE_INFINITY;
      for (let i = 0; i < rounds; i++) peak = Math.min(peak, (await measure(wrong, { memory: true })).peakBytes);
      const megabytes = (/** @type {number} */ bytes) => `${Math.round(bytes / 1e6)} MB`;
      return { ours: megabytes(peak), theirs: megabytes(MOST_BYTES), ratio: peak / MOST_BYTES };
    },
  },
];
