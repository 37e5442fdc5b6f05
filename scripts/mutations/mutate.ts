/**
 * Seeded mutations of payloads: bytes flipped, cut, doubled and moved, and above all the changes that a fast check
 * could get wrong: other notations of the same text, numbers at and over their bounds, duplicate names, depth, white
 * space.
 */

/** Mulberry32: small, seeded, the same everywhere. Each call gives a whole number below `below`. */
export type Random = (below: number) => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const buffers = (texts: readonly string[]): readonly Buffer[] => texts.map((text) => Buffer.from(text));

/** Numbers in all notations, at and over the bounds of the schemas, and texts that are almost numbers. */
const NUMBERS = buffers([
  ...['0', '-', '-0', '1', '5.0', '1e2', '1E+2', '1e400', '-1e400', '1e-400', '01', '999', '1000', '99', '99.5', '100'],
  ...[
    '0.5',
    '12345678901234567890',
    '-1',
    '-1.5',
    '0.0',
    '999.0',
    '999.5',
    '1.',
    '.5',
    '1e',
    '1e+',
    '-01',
    '--1',
    '-.5',
    '0.99999999999999999999',
    '999.00000000000000000001',
  ],
  ...['1.e5', '1.-5', '1e.5', '1e+-5', '1:', '12:5', '1/2', '1.5:', '1.:', '1e5:', '1e:', '-:', '-/1', '0x1'],
]);

/** Tokens, values, members, and notations with the same meaning. */
const TOKENS = buffers([
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    ';',
    '"',
    '\\',
    '\\u',
    '\\"',
    '\\n',
    '\\u0041',
    '\\ud83d',
    ' ',
    '\n',
    '\r\n',
    '\t',
    '\0',
  ],
  ...['true', 'false', 'null', 'tru', 'nul', 'truE', 'nulL', 'falsE', 'True'],
  ...[
    '[]',
    '{}',
    '[[[]]]',
    '{"a":{"a":1}}',
    '[1}',
    '{"a":1]',
    '[1 2]',
    '[1,]',
    '[,1]',
    '{"a" 1}',
    '{"a";1}',
    '{"a" ;1}',
  ],
  ...['{"a":1 "b":2}', '{"a":1,}', '{,}', '{a":1}', '{"a":1,b":2}', '[tru]', '[nulx]', '[falsx]', '{"a":1.}', '["a]'],
  ...['"@type":"Article",', '"@type":"Contract",', '"@type":"Comment",', '"@id":"x",', '"emoji":"x",'],
  ...['"\\u0040type":"Article",', '"x":1,', '"x":{"y":1,"y":2},', '"active":true,', '"minAge":0,', '"reason":"r",'],
  ...['"\\u0078":2,', '"title":"",', '"title":"t",'],
  ...['"Article"', '"Discussion"', '"LiveDiscussion"', '"QAndADiscussion"', '"Comment"', '"Contract"', '"Application"'],
  ...[
    '"Artic\\u006ce"',
    '"Contr\\u0061ct"',
    '"Comment\\u0020"',
    '"Articles"',
    '"Articl"',
    '""',
    '"\u00e9"',
    '"\u{1f600}"',
  ],
  ...[
    '"2024-01-01T00:00:00Z"',
    '"2024-01-01T00:00:00\u00e9"',
    '"2024-01-01T00:00:0\u00e9"',
    '"2024-01-01T00:00:00\\u005a"',
  ],
]);

/** Bytes that are not UTF-8, or only the beginning of a character. */
const BAD_BYTES = [0x80, 0xc0, 0xc3, 0xe2, 0xed, 0xf0, 0xf5, 0xff, 0xfe, 0x1e, 0x00, 0x7f];

/** One to three mutations of `payload`, which stays unchanged. */
export function mutate(payload: Buffer, random: Random): Buffer {
  let bytes = payload;
  for (let times = 1 + (random(4) === 0 ? random(3) : 0); times > 0; times--) {
    bytes = MUTATIONS[random(MUTATIONS.length)]!(bytes, random);
  }
  return bytes;
}

type Mutation = (bytes: Buffer, random: Random) => Buffer;

const splice = (bytes: Buffer, from: number, to: number, middle: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to)]);

/** The places in `bytes` of one of `wanted`. */
function placesOf(bytes: Buffer, wanted: string): number[] {
  const places: number[] = [];
  for (let i = 0; i < bytes.length; i++) if (wanted.includes(String.fromCharCode(bytes[i]!))) places.push(i);
  return places;
}

const pick = <T>(items: readonly T[], random: Random): T | undefined => items[random(Math.max(1, items.length))];

const flip: Mutation = (bytes, random) => {
  const copy = Buffer.from(bytes);
  const at = random(Math.max(1, copy.length));
  copy[at] = random(3) === 0 ? BAD_BYTES[random(BAD_BYTES.length)]! : copy[at]! ^ (1 << random(8));
  return copy;
};

const cut: Mutation = (bytes, random) => {
  const from = random(bytes.length + 1);
  return splice(bytes, from, Math.min(bytes.length, from + 1 + random(6)), Buffer.alloc(0));
};

const insert: Mutation = (bytes, random) => {
  const at = random(bytes.length + 1);
  return splice(bytes, at, at, TOKENS[random(TOKENS.length)]!);
};

/** A token before a member, at the place of a name. */
const insertMember: Mutation = (bytes, random) => {
  const at = pick(placesOf(bytes, '{,'), random);
  return at === undefined ? bytes : splice(bytes, at + 1, at + 1, TOKENS[random(TOKENS.length)]!);
};

const WHITE_SPACE = [' ', '\n', '\r\n', '\t', '  \n  ', '\u00a0', '\f', ' '.repeat(33)].map((text) =>
  Buffer.from(text),
);

const space: Mutation = (bytes, random) => {
  const at = pick(placesOf(bytes, '{}[],:'), random);
  if (at === undefined) return bytes;
  const side = at + random(2);
  return splice(bytes, side, side, pick(WHITE_SPACE, random)!);
};

/** A piece of the payload repeated, somewhere else or directly after itself: doubles members. */
const repeat: Mutation = (bytes, random) => {
  const from = pick(placesOf(bytes, ',{'), random);
  if (from === undefined) return bytes;
  const ends = placesOf(bytes, ',}').filter((at) => at > from);
  const to = ends[random(Math.min(3, ends.length) || 1)] ?? bytes.length;
  const at = random(2) === 0 ? to : (pick(placesOf(bytes, ',}'), random) ?? to);
  const piece = Buffer.concat([Buffer.from(','), bytes.subarray(from + 1, to)]);
  return splice(bytes, at, at, piece);
};

const number: Mutation = (bytes, random) => {
  const text = bytes.toString('latin1');
  const numbers = [...text.matchAll(/[:,[] ?(-?\d[\d.eE+-]*)/g)];
  const match = pick(numbers, random);
  if (match === undefined) return insert(bytes, random);
  const at = match.index + match[0].length - match[1]!.length;
  return splice(bytes, at, at + match[1]!.length, pick(NUMBERS, random)!);
};

/** One character of a string written as an escape: the same value, other bytes. */
const spellOut: Mutation = (bytes, random) => {
  const at = random(Math.max(1, bytes.length));
  const byte = bytes[at] ?? 0;
  if (byte < 0x30 || byte > 0x7a) return bytes;
  const hex = byte.toString(16).padStart(4, '0');
  return splice(bytes, at, at + 1, Buffer.from(`\\u${random(2) === 0 ? hex : hex.toUpperCase()}`));
};

/** A valid escape, or one with an invalid digit. */
const hex: Mutation = (bytes, random) => {
  const at = random(bytes.length + 1);
  const digits = Array.from({ length: 4 }, () => (random(12) === 0 ? '/:@G`g'[random(6)] : '09afAF'[random(6)]));
  return splice(bytes, at, at, Buffer.from(`\\u${digits.join('')}`));
};

/** Punctuation replaced by other punctuation. */
const punctuate: Mutation = (bytes, random) => {
  const at = pick(placesOf(bytes, '{}[],:"'), random);
  if (at === undefined) return bytes;
  const other = '{}[],:";= '[random(10)]!;
  return splice(bytes, at, at + 1, Buffer.from(other));
};

/** A backslash and a letter: perhaps an escape. */
const backslash: Mutation = (bytes, random) => {
  const at = random(bytes.length + 1);
  return splice(bytes, at, at, Buffer.from(`\\${String.fromCharCode(0x61 + random(26))}`));
};

const truncate: Mutation = (bytes, random) => bytes.subarray(0, random(bytes.length + 1));

/** Any JSON value replaced by another. */
const replaceValue: Mutation = (bytes, random) => {
  const colon = pick(placesOf(bytes, ':'), random);
  if (colon === undefined) return bytes;
  const end = placesOf(bytes, ',}').find((at) => at > colon) ?? bytes.length;
  return splice(bytes, colon + 1, end, pick(random(4) === 0 ? NUMBERS : TOKENS, random)!);
};

const MUTATIONS: readonly Mutation[] = [
  ...[flip, cut, insert, insertMember, insertMember, space, space, repeat, repeat],
  ...[number, number, spellOut, spellOut, hex, punctuate, backslash, truncate, replaceValue, replaceValue],
];
