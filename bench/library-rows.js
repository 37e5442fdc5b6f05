// @ts-check
// The rows of `bench/library.js`, measured in this process: what paylint does and what does the same without it, in turns, many rounds. A ratio is that
// of the fastest rounds of both. Prints JSON.
//
//     node --expose-gc bench/library-rows.js ROUNDS [NAME,…]
//
// `own`: the rows of schemas of one's own, which need ata-validator.
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { findAta } from './ata.js';
import { median } from './measure.js';
import { createRandom, makePayload, NUMBER_MARK } from './payloads.js';

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} title
 * @property {number | null} most the ratio that is wanted at most; null: it is stated only
 * @property {(i: number) => unknown} ours
 * @property {(i: number) => unknown} theirs
 */
/**
 * @typedef {object} SlowRow
 * @property {string} name
 * @property {string} title
 * @property {number | null} most
 * @property {() => Promise<unknown>} ours
 * @property {(() => Promise<unknown>) | null} theirs null: `most` is in milliseconds
 */
/** @typedef {{ name: string, title: string, limit: string, most: number | null, ratio: number, ours: string, theirs: string | null, unit: string }} Measured */

const [rounds = '60', only = ''] = process.argv.slice(2);
const names = only === '' ? null : only.split(',');
const MANY = 200;
/** Texts of rows in which none comes again soon, as in a service: what an engine remembers of a text does not help it. */
const DIFFERENT = 20_000;
/** Calls of a round: a third of a millisecond or more. */
const CALLS = 400;
/** Calls before the first round: until V8 has compiled all, for which it uses another core. */
const WARM_UP = 60_000;
/** Bytes of the file that is read as a whole. */
const FILE_BYTES = 8e6;

/** @type {typeof import('../src/index.ts')} */
const { openPaylint, isContentItem } = await import(String(new URL('../dist/index.js', import.meta.url)));
const paylint = await openPaylint();

/** @param {string} name */
const readSchema = (name) =>
  JSON.parse(readFileSync(new URL(`../schemas/${name}.schema.json`, import.meta.url), 'utf8'));
/** @param {import('ajv').Options} [options] */
function ajvFor(options) {
  const ajv = new Ajv2020({ strict: false, ...options });
  for (const name of ['content-item', 'contract', 'emoji']) ajv.addSchema(readSchema(name));
  return ajv.compile(readSchema('payload'));
}
const ajv = ajvFor();
const ajvFill = ajvFor({ useDefaults: true });

/** @typedef {Record<string, unknown> & { '@id'?: unknown }} Payload */
/**
 * Content items of 600 to 800 bytes; `changed` makes them what a row needs.
 * @param {boolean} missingDefaults
 * @param {(payload: Payload) => void} [changed]
 * @param {number} [many]
 */
function items(missingDefaults, changed = () => {}, many = MANY) {
  const random = createRandom(28);
  const found = [];
  while (found.length < many) {
    const payload = makePayload('content', random, missingDefaults);
    const text = JSON.stringify(payload).replaceAll(NUMBER_MARK, '123456789012');
    const size = Buffer.byteLength(text);
    if (size < 600 || size > 800) continue;
    const item = JSON.parse(text);
    changed(item);
    found.push(JSON.stringify(item));
  }
  // As a text comes from a file or a socket, in one piece.
  const texts = found.map((text) => Buffer.from(text).toString());
  const bytes = texts.map((text) => new Uint8Array(Buffer.from(text)));
  return { texts, bytes, values: texts.map((text) => JSON.parse(text)) };
}
const valid = items(false);
/** @param {Payload} item */
const breakTwice = (item) => {
  item.content = '';
  item['@id'] = 1;
};
const invalid = items(false, breakTwice);
const gaps = items(true);
/**
 * Texts that are made when a row first needs them.
 * @param {boolean} missingDefaults
 * @param {(payload: Payload) => void} [changed]
 */
function different(missingDefaults, changed) {
  /** @type {string[]} */
  let texts = [];
  return (/** @type {number} */ i) => {
    if (texts.length === 0) texts = items(missingDefaults, changed, DIFFERENT).texts;
    return /** @type {string} */ (texts[i % DIFFERENT]);
  };
}
const invalidOnes = different(false, breakTwice);
const strangers = different(false, (item) => {
  item['@type'] = 'Nothing';
});
const gapsOnes = different(true);
/** @param {string} text */
const filledByAjv = (text) => {
  const value = JSON.parse(text);
  ajvFill(value);
  return JSON.stringify(value).length > 0;
};

/**
 * @template T
 * @param {readonly T[]} list
 * @param {number} i
 * @returns {T}
 */
const at = (list, i) => /** @type {T} */ (list[i % MANY]);

/** What payloads of a kind are for a program whose schema is of this kind alone, as if it was its own. */
const OWN = { content: 'content-item', contract: 'contract', emoji: 'emoji' };

/**
 * The same values, texts and bytes of a kind to paylint, to a function of Ajv and to ata-validator, with that schema alone.
 * @param {keyof typeof OWN} kind
 * @returns {Promise<Row[]>}
 */
async function ownRows(kind) {
  const random = createRandom(28);
  const made = () => JSON.stringify(makePayload(kind, random, false)).replaceAll(NUMBER_MARK, '123456789012');
  const texts = Array.from({ length: MANY }, () => Buffer.from(made()).toString());
  const bytes = texts.map((text) => Buffer.from(text));
  const values = texts.map((text) => JSON.parse(text));
  const own = await openPaylint({ schema: readSchema(OWN[kind]) });
  const check = new Ajv2020({ strict: false }).compile(readSchema(OWN[kind]));
  const ata = findAta()(readSchema(OWN[kind]));
  const value = (/** @type {number} */ i) => own.validateValue(at(values, i)).valid;
  return [
    {
      name: `${kind}-ajv`,
      title: `a schema of one's own (${kind}): \`validateValue(value)\`, against Ajv`,
      most: 3,
      ours: value,
      theirs: (i) => check(at(values, i)),
    },
    {
      name: `${kind}-ata`,
      title: 'the same, against ata-validator',
      most: null,
      ours: value,
      theirs: (i) => ata.validate(at(values, i)).valid,
    },
    {
      name: `${kind}-ata-text`,
      title: '`isValid(text)`, against ata-validator',
      most: null,
      ours: (i) => own.isValid(at(texts, i)),
      theirs: (i) => ata.isValidJSON(at(texts, i)),
    },
    {
      name: `${kind}-ata-bytes`,
      title: '`isValid(bytes)`, against ata-validator on the text of them',
      most: null,
      ours: (i) => own.isValid(at(bytes, i)),
      theirs: (i) => ata.isValidJSON(at(bytes, i).toString()),
    },
  ];
}

/** @type {readonly Row[]} */
const ROWS = [
  {
    name: 'is-valid',
    title: '`isValid(text)`, against JSON.parse and Ajv',
    most: 0.6,
    ours: (i) => paylint.isValid(at(valid.texts, i)),
    theirs: (i) => ajv(JSON.parse(at(valid.texts, i))),
  },
  {
    name: 'is-valid-bytes',
    title: '`isValid(bytes)`, against JSON.parse and Ajv on the text',
    most: 0.35,
    ours: (i) => paylint.isValid(at(valid.bytes, i)),
    theirs: (i) => ajv(JSON.parse(at(valid.texts, i))),
  },
  {
    name: 'validate',
    title: '`validate(text)`, valid, against JSON.parse and Ajv',
    most: 0.7,
    ours: (i) => paylint.validate(at(valid.texts, i)).valid,
    theirs: (i) => ajv(JSON.parse(at(valid.texts, i))),
  },
  {
    name: 'validate-invalid',
    title: '`validate(text)`, two violations, the verdict, against JSON.parse and Ajv',
    most: 2,
    ours: (i) => !paylint.validate(at(invalid.texts, i)).valid,
    theirs: (i) => !ajv(JSON.parse(at(invalid.texts, i))),
  },
  {
    name: 'violations',
    title: 'the same, and its violations with their places and messages',
    most: 2,
    ours: (i) => paylint.validate(at(invalid.texts, i)).violations.length === 2,
    theirs: (i) => !ajv(JSON.parse(at(invalid.texts, i))),
  },
  {
    name: 'validate-value',
    title: '`validateValue(value)`, against Ajv',
    most: 2,
    ours: (i) => paylint.validateValue(at(valid.values, i)).valid,
    theirs: (i) => ajv(at(valid.values, i)),
  },
  {
    name: 'guards',
    title: '`isContentItem(value)`, against Ajv',
    most: 1.2,
    ours: (i) => isContentItem(at(valid.values, i)),
    theirs: (i) => ajv(at(valid.values, i)),
  },
  {
    name: 'fill',
    title: '`fill(text)`, three defaults, against JSON.parse, `useDefaults` and JSON.stringify',
    most: 1.5,
    ours: (i) => paylint.fill(at(gaps.texts, i)).text.length > 0,
    theirs: (i) => filledByAjv(at(gaps.texts, i)),
  },
  {
    name: 'fill-nothing',
    title: '`fill(text)`, nothing missing, against the same',
    most: null,
    ours: (i) => paylint.fill(at(valid.texts, i)).text.length > 0,
    theirs: (i) => filledByAjv(at(valid.texts, i)),
  },
  {
    name: 'many-violations',
    title: '20,000 different texts with two violations, `violations.length`, against JSON.parse and Ajv',
    most: 2,
    ours: (i) => paylint.validate(invalidOnes(i)).violations.length === 2,
    theirs: (i) => !ajv(JSON.parse(invalidOnes(i))),
  },
  {
    name: 'many-unknown',
    title: '20,000 different texts of an unknown kind, `violations.length`, against the same',
    most: 3,
    ours: (i) => paylint.validate(strangers(i)).violations.length === 1,
    theirs: (i) => !ajv(JSON.parse(strangers(i))),
  },
  {
    name: 'many-fills',
    title:
      '20,000 different texts, `fill(text).fills`, three defaults, against JSON.parse, `useDefaults` and JSON.stringify',
    most: 1.5,
    ours: (i) => paylint.fill(gapsOnes(i)).fills.length > 0,
    theirs: (i) => filledByAjv(gapsOnes(i)),
  },
  {
    name: 'many-filled',
    title: 'the same, `fill(text).text` alone',
    most: 0.3,
    ours: (i) => paylint.fill(gapsOnes(i)).text.length > 0,
    theirs: (i) => filledByAjv(gapsOnes(i)),
  },
];

const folder = mkdtempSync(join(tmpdir(), 'paylint-bench-'));
const file = join(folder, 'items.ndjson');
let lines = '';
while (lines.length < FILE_BYTES) lines += `${valid.texts.join('\n')}\n`;
writeFileSync(file, lines);
const content = readFileSync(file);
const total = lines.split('\n').length - 1;

/** What a user would write without paylint. */
async function readlineScript() {
  let payloads = 0;
  const input = createReadStream(file);
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line !== '' && ajv(JSON.parse(line))) payloads++;
  if (payloads !== total) throw new Error(`${payloads} payloads of ${total}`);
}

/** @param {AsyncIterable<{ valid: boolean }>} payloads */
async function count(payloads) {
  let found = 0;
  for await (const { valid } of payloads) if (valid) found++;
  if (found !== total) throw new Error(`${found} payloads of ${total}`);
}

async function countNow() {
  let found = 0;
  for (const { valid } of paylint.payloadsOf(content, { input: 'lines' })) if (valid) found++;
  if (found !== total) throw new Error(`${found} payloads of ${total}`);
}

/** @type {readonly SlowRow[]} */
const SLOW = [
  {
    name: 'payloads',
    title: '`for await (… of payloads(file))`, against a readline script',
    most: 0.25,
    ours: () => count(paylint.payloads(file)),
    theirs: readlineScript,
  },
  {
    name: 'payloads-stream',
    title: '`for await (… of payloads(stream))`, against the same',
    most: 0.25,
    ours: () => count(paylint.payloads(createReadStream(file), { input: 'lines' })),
    theirs: readlineScript,
  },
  {
    name: 'payloads-of',
    title: '`for (… of payloadsOf(bytes))`, against the same',
    most: 0.25,
    ours: countNow,
    theirs: readlineScript,
  },
  {
    name: 'validate-files',
    title: '`validateFiles([file])`, against the same',
    most: null,
    ours: () => paylint.validateFiles([file]),
    theirs: readlineScript,
  },
  { name: 'open', title: 'opening a second instance', most: 5, ours: () => openPaylint(), theirs: null },
];

/** @param {readonly number[]} times */
const least = (times) => Math.min(...times);

/**
 * Nanoseconds of a call, in the fastest round: what else the machine does only adds to it.
 * @param {Row} row
 */
function measured({ name, title, most, ours, theirs }) {
  const sides = [ours, theirs];
  for (const side of sides)
    for (let i = 0; i < WARM_UP; i++) if (side(i) !== true) throw new Error(`${name}: ${i % MANY} failed`);
  const times = sides.map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round < Number(rounds); round++) {
    for (const [which, side] of sides.entries()) {
      const begun = performance.now();
      for (let i = round * CALLS; i < (round + 1) * CALLS; i++) side(i);
      times[which]?.push(((performance.now() - begun) * 1e6) / CALLS);
    }
  }
  const [own = 0, other = 0] = times.map(least);
  const micro = (/** @type {number} */ nanoseconds) => (nanoseconds / 1000).toFixed(2);
  const limit = most === null ? '' : `${most} ×`;
  return { name, title, limit, most, ratio: own / other, ours: micro(own), theirs: micro(other), unit: 'µs' };
}

/** @param {SlowRow} row */
async function measuredSlow({ name, title, most, ours, theirs }) {
  const times = [ours, theirs].map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round < Math.max(5, Number(rounds) / 6); round++) {
    for (const [which, side] of [ours, theirs].entries()) {
      const begun = performance.now();
      await side?.();
      times[which]?.push(performance.now() - begun);
    }
  }
  const [own = 0, other = 0] = times.map(least);
  const shown = { ours: own.toFixed(1), theirs: theirs === null ? null : other.toFixed(1), unit: 'ms' };
  const limit = most === null ? '' : theirs === null ? `${most} ms` : `${most} ×`;
  return { name, title, limit, most, ratio: theirs === null ? own : own / other, ...shown };
}

/** Instances that are opened before memory is looked at again, and how often. */
const BATCH = 25;
const BATCHES = 15;

/**
 * What an instance takes that has judged payloads and is idle, in KiB: the median over batches of instances, because a batch may also use memory that was
 * released before, or need more for the heap. It is measured first, before other rows leave memory to be released.
 */
async function memoryOfInstances() {
  const kept = [];
  const grown = { rss: /** @type {number[]} */ ([]), heapUsed: /** @type {number[]} */ ([]) };
  const used = () => {
    globalThis.gc?.();
    globalThis.gc?.();
    return process.memoryUsage();
  };
  let before = used();
  for (let batch = 0; batch < BATCHES; batch++) {
    for (let i = 0; i < BATCH; i++) {
      const one = await openPaylint();
      one.validate(at(valid.texts, i));
      one.validate(at(invalid.texts, i));
      kept.push(one);
    }
    const after = used();
    grown.rss.push(after.rss - before.rss);
    grown.heapUsed.push(after.heapUsed - before.heapUsed);
    before = after;
  }
  const kibibytes = (/** @type {readonly number[]} */ sizes) => (median(sizes) / BATCH / 1024).toFixed(0);
  const ours = `${kibibytes(grown.rss)} KiB, in the heap ${kibibytes(grown.heapUsed)}`;
  const title = 'memory of an idle instance, after the first';
  return { name: 'memory', title, limit: '', most: null, ratio: 0, ours, theirs: null, unit: 'KiB' };
}

const isWanted = (/** @type {{ name: string }} */ { name }) => names?.includes(name) ?? true;
const memory = isWanted({ name: 'memory' }) ? [await memoryOfInstances()] : [];
/** @type {Measured[]} */
const rows = ROWS.filter(isWanted).map(measured);
// These need a peer that is installed for them, so only if they are asked for.
for (const kind of /** @type {(keyof typeof OWN)[]} */ (Object.keys(OWN)))
  if (names?.includes('own')) rows.push(...(await ownRows(kind)).map(measured));
for (const row of SLOW.filter(isWanted)) rows.push(await measuredSlow(row));
rows.push(...memory);
rmSync(folder, { recursive: true });
console.log(JSON.stringify({ version: process.versions.node, rows }));
