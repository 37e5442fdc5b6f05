// @ts-check
// Writes data for measurements: payloads of one kind or of all, in one file of any size or in a folder of small files. A few
// thousand distinct payloads are made once and written again and again with running numbers, so that a gigabyte takes
// seconds. The same options always give the same bytes.
//
//     node bench/generate.js --kind content --size 1g --out FILE
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { createRandom, makeInvalidPayload, makePayload, makeUnlistedPayload, NUMBER_MARK } from './payloads.js';

/** @typedef {import('./payloads.js').Kind} Kind */
/**
 * @typedef {object} Data what the payloads are
 * @property {Kind | 'mixed'} kind mixed: each payload of any kind
 * @property {number} [seed]
 * @property {number} [invalidEvery] one payload in this many has a fault; 0: none, 1: all
 * @property {'missing' | 'unlisted'} [fault] that of all: three defaults are missing, or a member is not listed; absent: any
 * @property {boolean} [missingDefaults] in every payload except emoji, three members with defaults are missing
 */
/** @typedef {'lines' | 'array' | 'pretty'} Layout one a line, one array in one line, one array indented */
/** @typedef {{ payloads: number, invalid: number, bytes: number }} Written bytes: before compression */
/** @typedef {{ bytes: Buffer, numberAt: number[] }} Template numberAt: where twelve digits go */
/** @typedef {{ valid: Template[], invalid: Template[] }} Pool */

const POOL_SIZE = 4096;
const CHUNK_BYTES = 4 << 20;
const DIGITS = NUMBER_MARK.length;

/** How the payloads of each layout are written, and what is around them. */
const LAYOUTS = {
  lines: { indent: 0, before: '', between: '\n', after: '\n' },
  array: { indent: 0, before: '[', between: ',', after: ']\n' },
  pretty: { indent: 2, before: '[\n  ', between: ',\n  ', after: '\n]\n' },
};

/**
 * Writes one file of at most `size` bytes (before compression), as close to it as whole payloads permit; at least one
 * payload.
 * @param {Data & { out: string, size: number, layout?: Layout, gzip?: boolean }} options
 * @returns {Promise<Written>}
 */
export async function generateFile(options) {
  const { out, gzip = false } = options;
  const pool = createPool(options, options.layout ?? 'lines');
  mkdirSync(dirname(out), { recursive: true });
  const file = createWriteStream(out, { highWaterMark: 2 * CHUNK_BYTES });
  const target = gzip ? createGzip() : file;
  if (gzip) target.pipe(file);
  /** @type {Written} */
  const written = { payloads: 0, invalid: 0, bytes: 0 };
  for (const chunk of chunks(pool, options, written)) if (!target.write(chunk)) await once(target, 'drain');
  target.end();
  await finished(file);
  return written;
}

/**
 * Writes `files` files of one indented payload each, a hundred to a folder.
 * @param {Data & { out: string, files: number }} options
 * @returns {Written}
 */
export function generateFolder(options) {
  const pool = createPool(options, 'file');
  const written = { payloads: 0, invalid: 0, bytes: 0 };
  for (let index = 0; index < options.files; index++) {
    const folder = join(options.out, String(Math.floor(index / 100)).padStart(4, '0'));
    if (index % 100 === 0) mkdirSync(folder, { recursive: true });
    const text = Buffer.concat([choose(pool, options, index, written).bytes, Buffer.from('\n')]);
    writeFileSync(join(folder, `${String(index).padStart(6, '0')}.json`), text);
    written.bytes += text.length;
  }
  return written;
}

/**
 * The bytes of one file.
 * @param {Pool} pool
 * @param {Data & { size: number, layout?: Layout }} options
 * @param {Written} written counted up as it goes
 * @returns {Generator<Buffer>}
 */
function* chunks(pool, options, written) {
  const layout = LAYOUTS[options.layout ?? 'lines'];
  const before = Buffer.from(layout.before);
  const between = Buffer.from(layout.between);
  const after = Buffer.from(layout.after);
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let at = 0;
  for (let index = 0; ; index++) {
    const counts = { ...written };
    const { bytes } = choose(pool, options, index, written);
    const lead = index === 0 ? before : between;
    const needed = lead.length + bytes.length;
    if (index > 0 && written.bytes + needed + after.length > options.size) {
      Object.assign(written, counts);
      break;
    }
    if (at + needed + after.length > chunk.length) {
      yield chunk.subarray(0, at);
      chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      at = 0;
    }
    chunk.set(lead, at);
    chunk.set(bytes, at + lead.length);
    at += needed;
    written.bytes += needed;
  }
  chunk.set(after, at);
  written.bytes += after.length;
  yield chunk.subarray(0, at + after.length);
}

/**
 * The template of payload `index` with its number in it; valid until the same template is chosen again.
 * @param {Pool} pool
 * @param {Data} data
 * @param {number} index
 * @param {Written} written
 */
function choose(pool, { invalidEvery = 0 }, index, written) {
  const isInvalid = invalidEvery > 0 && (index + 1) % invalidEvery === 0;
  const templates = isInvalid ? pool.invalid : pool.valid;
  const turn = isInvalid ? Math.floor(index / invalidEvery) : index;
  const template = /** @type {Template} */ (templates[turn % templates.length]);
  written.payloads++;
  if (isInvalid) written.invalid++;
  for (const at of template.numberAt) {
    for (let digit = DIGITS - 1, rest = index; digit >= 0; digit--, rest = Math.floor(rest / 10)) {
      template.bytes[at + digit] = 0x30 + (rest % 10);
    }
  }
  return template;
}

/**
 * @param {Data} data
 * @param {Layout | 'file'} layout
 * @returns {Pool}
 */
function createPool({ kind, seed = 1, invalidEvery = 0, fault, missingDefaults = false }, layout) {
  if (kind === 'emoji' && missingDefaults) throw new Error('an emoji payload has no defaults that could be missing');
  const random = createRandom(seed);
  const indent = layout === 'file' ? 2 : LAYOUTS[layout].indent;
  const isElement = layout === 'pretty';
  /** @param {typeof makePayload} make */
  const templates = (make) =>
    Array.from({ length: POOL_SIZE }, () => {
      const one = kind === 'mixed' ? anyKind(random) : kind;
      const text = JSON.stringify(make(one, random, missingDefaults), null, indent);
      return template(isElement ? text.replaceAll('\n', '\n  ') : text, random() < ESCAPING_SHARE);
    });
  return {
    valid: invalidEvery === 1 ? [] : templates(makePayload),
    invalid: invalidEvery === 0 ? [] : templates(FAULTY[fault ?? 'any']),
  };
}

/** What makes payloads with a fault. */
const FAULTY = {
  any: makeInvalidPayload,
  missing: (/** @type {Kind} */ kind, /** @type {import('./payloads.js').Random} */ random) =>
    makePayload(kind, random, true),
  unlisted: makeUnlistedPayload,
};

/** @type {Kind[]} */
const KINDS = ['content', 'contract', 'emoji'];

/** @param {import('./payloads.js').Random} random */
function anyKind(random) {
  return /** @type {Kind} */ (KINDS[Math.floor(random() * KINDS.length)]);
}

/** The share of payloads from writers that escape everything that is not ASCII. */
const ESCAPING_SHARE = 0.04;

/**
 * @param {string} text
 * @param {boolean} escaping
 * @returns {Template}
 */
function template(text, escaping) {
  const escaped = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const bytes = Buffer.from(escaping ? text.replaceAll(/[\u0080-\uffff]/g, escaped) : text);
  const numberAt = [];
  for (let at = bytes.indexOf(NUMBER_MARK); at >= 0; at = bytes.indexOf(NUMBER_MARK, at + DIGITS)) numberAt.push(at);
  return { bytes, numberAt };
}

/**
 * `4096`, `10k`, `1.5m`, `2g`: bytes, in powers of a thousand.
 * @param {string} text
 */
export function parseSize(text) {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([kmg]?)$/.exec(text) ?? [];
  if (number === undefined) throw new Error(`not a size: ${text}`);
  return Math.round(Number(number) * 1000 ** ['', 'k', 'm', 'g'].indexOf(unit));
}

const USAGE = `node bench/generate.js --out FILE --size SIZE [--layout lines|array|pretty] [--gzip] …
node bench/generate.js --out FOLDER --files N …
  --kind content|contract|emoji|mixed   default: content
  --invalid-every N                     every so manieth payload has a fault; 1: all (default: none)
  --missing-defaults                       three members with defaults are missing in every payload
  --seed N                              default: 1`;

async function main() {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      size: { type: 'string' },
      files: { type: 'string' },
      kind: { type: 'string', default: 'content' },
      layout: { type: 'string', default: 'lines' },
      seed: { type: 'string', default: '1' },
      'invalid-every': { type: 'string', default: '0' },
      'missing-defaults': { type: 'boolean', default: false },
      gzip: { type: 'boolean', default: false },
    },
  });
  const { out, size, files, kind, layout } = values;
  const isKind = [...KINDS, 'mixed'].includes(kind) && Object.hasOwn(LAYOUTS, layout);
  if (out === undefined || (size === undefined) === (files === undefined) || !isKind) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const data = {
    kind: /** @type {Kind | 'mixed'} */ (kind),
    seed: Number(values.seed),
    invalidEvery: Number(values['invalid-every']),
    missingDefaults: values['missing-defaults'],
    out,
  };
  const written =
    files !== undefined
      ? generateFolder({ ...data, files: Number(files) })
      : await generateFile({
          ...data,
          size: parseSize(size ?? ''),
          layout: /** @type {Layout} */ (layout),
          gzip: values.gzip,
        });
  console.log(`${out}: ${written.payloads} payloads, ${written.invalid} of them invalid, ${written.bytes} bytes`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
