/**
 * The functions that every accept module has, whatever its schemas: white space, strings, numbers, names that no schema knows, and
 * values of any shape. One function a thing; each takes the address after what introduced it.
 */
import {
  add,
  add64,
  and,
  bitmask,
  block,
  branch,
  branchIf,
  bytesEq,
  bytesGtU,
  bytesLtU,
  type Code,
  call,
  ctz,
  divF64,
  eq,
  eqz,
  extend,
  type FunctionCode,
  f64,
  type GlobalCode,
  get,
  geU,
  giveBack,
  globalGet,
  globalSet,
  gtU,
  i32,
  i64,
  leU,
  load8,
  load32,
  load128,
  loop,
  ltU,
  mul64,
  mulF64,
  ne,
  negF64,
  or,
  or128,
  popcnt,
  set,
  splat,
  store32,
  store64,
  sub,
  tee,
  toF64,
  when,
} from '../wasm/assembler.ts';
import { MAX_NAMES, MAX_NOTES, NAMES, NOTE_BYTES, NOTES } from '../wasm/layout.ts';

export const GLOBALS: readonly GlobalCode[] = [
  /** 1 where a line feed is white space inside a payload. */
  { name: 'lineFeedIsSpace', type: 'i32', initial: 1 },
  /** Deepest nesting that may be accepted. */
  { name: 'maxDepth', type: 'i32', initial: 0, exported: true },
  /** Largest payload. */
  { name: 'maxBytes', type: 'i32', initial: 0, exported: true },
  /** The end of the stack of unknown names. */
  { name: 'names', type: 'i32', initial: NAMES },
  /** The end of the list of notes. */
  { name: 'notes', type: 'i32', initial: NOTES, exported: true },
  /** Where defaults are filled in: address of the name whose value is read; 0: it is the payload, -1: it has none. */
  { name: 'nameAt', type: 'i32', initial: 0 },
  /** Of the last number read: its value, where `isPlain` says that it was a short one. */
  { name: 'number', type: 'f64', initial: 0 },
  { name: 'isPlain', type: 'i32', initial: 0 },
  /** 1 if the last string read had escapes. */
  { name: 'escaped', type: 'i32', initial: 0 },
  /** The kind that was right last time. */
  { name: 'lastKind', type: 'i32', initial: 0 },
  /** Line feeds passed by `run`. */
  { name: 'lineFeeds', type: 'i32', initial: 0, exported: true },
  /** 1 where `run` stopped after an element of an array, 0 where before one. */
  { name: 'behindElement', type: 'i32', initial: 0, exported: true },
];

/** Unsure. */
export const UNSURE: Code = giveBack(i32(0));
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Steps over white space at `p`, cheap where there is none. */
export const skipSpace: Code = when(leU(load8(get('p')), i32(0x20)), set('p', call('space', get('p'))));

/** Expects the colon after a name, white space around it allowed, and moves `p` to the value. */
export const expectColon: Code = [
  ...when(ne(load8(get('p')), i32(0x3a)), [
    ...set('p', call('space', get('p'))),
    ...when(ne(load8(get('p')), i32(0x3a)), UNSURE),
  ]),
  ...set('p', add(get('p'), i32(1))),
  ...skipSpace,
];

/** Sets `p` to what a reading function answers; unsure if it is. */
export const proceed = (reading: Code): Code => when(eqz(tee('p', reading)), UNSURE);

const p = get('p');
export const advance = (count: number): Code => set('p', add(p, i32(count)));

const space: FunctionCode = {
  name: 'space',
  params: [['p', 'i32']],
  result: 'i32',
  locals: [['c', 'i32']],
  body: [
    ...loop(
      'next',
      // Indentation: sixteen spaces at a time.
      block(
        'byBytes',
        branchIf('byBytes', ne(bitmask(bytesEq(load128(p), splat(0x20))), i32(0xffff))),
        advance(16),
        branch('next'),
      ),
      set('c', load8(p)),
      block(
        'isSpace',
        branchIf('isSpace', eq(get('c'), i32(0x20))),
        branchIf('isSpace', eq(get('c'), i32(0x0d))),
        branchIf('isSpace', eq(get('c'), i32(0x09))),
        branchIf('isSpace', and(eq(get('c'), i32(0x0a)), globalGet('lineFeedIsSpace'))),
        giveBack(p),
      ),
      advance(1),
      branch('next'),
    ),
    ...i32(0),
  ],
};

const isHexDigit = (at: Code): Code =>
  or(ltU(sub(at, i32(0x30)), i32(10)), ltU(sub(or(at, i32(0x20)), i32(0x61)), i32(6)));

/** After the opening quote -> after the closing one. Sets `escaped`. */
const text: FunctionCode = {
  name: 'string',
  params: [['p', 'i32']],
  result: 'i32',
  locals: [
    ['v', 'v128'],
    ['m', 'i32'],
    ['c', 'i32'],
  ],
  body: [
    ...globalSet('escaped', i32(0)),
    ...loop(
      'next',
      set('v', load128(p)),
      set(
        'm',
        bitmask(
          or128(
            or128(bytesEq(get('v'), splat(QUOTE)), bytesEq(get('v'), splat(BACKSLASH))),
            bytesLtU(get('v'), splat(0x20)),
          ),
        ),
      ),
      when(eqz(get('m')), [...advance(16), ...branch('next')]),
      set('p', add(p, ctz(get('m')))),
      set('c', load8(p)),
      when(eq(get('c'), i32(QUOTE)), giveBack(add(p, i32(1)))),
      when(ne(get('c'), i32(BACKSLASH)), UNSURE),
      globalSet('escaped', i32(1)),
      set('c', load8(p, 1)),
      block(
        'simple',
        ...[0x6e, QUOTE, BACKSLASH, 0x2f, 0x74, 0x72, 0x62, 0x66].map((byte) =>
          branchIf('simple', eq(get('c'), i32(byte))),
        ),
        when(ne(get('c'), i32(0x75)), UNSURE),
        ...[2, 3, 4, 5].map((offset) => [
          ...set('c', load8(p, offset)),
          ...when(eqz(isHexDigit(get('c'))), UNSURE),
        ]),
        advance(4),
      ),
      advance(2),
      branch('next'),
    ),
    ...i32(0),
  ],
};

const isDigitAtP: Code = ltU(sub(load8(p), i32(0x30)), i32(10));
/**
 * At the first byte of a number -> after it. Sets `isPlain`, and `number` to the value, for numbers of at most 15 digits without
 * exponent: digits and power of ten are exact doubles then, and their quotient is rounded once, as JSON.parse rounds.
 * Numbers that might be beyond a double (three digits of exponent, or very long) are unsure.
 */
const number: FunctionCode = {
  name: 'number',
  params: [['p', 'i32']],
  result: 'i32',
  locals: [
    ['start', 'i32'],
    ['minus', 'i32'],
    ['value', 'i64'],
    ['scale', 'f64'],
    ['c', 'i32'],
  ],
  body: [
    ...set('minus', eq(load8(p), i32(0x2d))),
    ...set('p', add(p, get('minus'))),
    ...set('start', p),
    ...set('scale', f64(1)),
    ...set('c', sub(load8(p), i32(0x30))),
    ...when(geU(get('c'), i32(10)), UNSURE),
    ...block(
      'whole',
      advance(1),
      // Zero stands alone.
      branchIf('whole', eqz(get('c'))),
      set('value', extend(get('c'))),
      loop(
        'digit',
        set('c', sub(load8(p), i32(0x30))),
        branchIf('whole', geU(get('c'), i32(10))),
        set('value', add64(mul64(get('value'), i64(10n)), extend(get('c')))),
        advance(1),
        branch('digit'),
      ),
    ),
    ...set('c', load8(p)),
    // After a zero no digit may follow.
    ...when(ltU(sub(get('c'), i32(0x30)), i32(10)), UNSURE),
    ...when(eq(get('c'), i32(0x2e)), [
      ...advance(1),
      ...when(eqz(isDigitAtP), UNSURE),
      ...loop(
        'fraction',
        set('value', add64(mul64(get('value'), i64(10n)), extend(sub(load8(p), i32(0x30))))),
        set('scale', mulF64(get('scale'), f64(10))),
        advance(1),
        branchIf('fraction', isDigitAtP),
      ),
    ]),
    ...when(gtU(sub(p, get('start')), i32(200)), UNSURE),
    // The point is counted as a digit: at worst a number of 15 digits is not plain.
    ...globalSet('isPlain', leU(sub(p, get('start')), i32(15))),
    ...globalSet('number', divF64(toF64(get('value')), get('scale'))),
    ...when(get('minus'), globalSet('number', negF64(globalGet('number')))),
    ...when(eq(or(load8(p), i32(0x20)), i32(0x65)), [
      ...globalSet('isPlain', i32(0)),
      ...advance(1),
      ...set('c', load8(p)),
      ...when(or(eq(get('c'), i32(0x2b)), eq(get('c'), i32(0x2d))), advance(1)),
      ...set('start', p),
      ...when(eqz(isDigitAtP), UNSURE),
      ...loop('exponent', advance(1), branchIf('exponent', isDigitAtP)),
      ...when(gtU(sub(p, get('start')), i32(2)), UNSURE),
    ]),
    ...p,
  ],
};

const entry = get('entry');
const nameLength: Code = get('length');

/**
 * A name that the schema does not know, at its first byte after the quote -> after the closing quote. Puts it on the stack of
 * names; one with escapes, one that stands above `base` already, and one too many are unsure.
 */
const unknownName: FunctionCode = {
  name: 'unknownName',
  params: [
    ['p', 'i32'],
    ['base', 'i32'],
  ],
  result: 'i32',
  locals: [
    ['end', 'i32'],
    ['length', 'i32'],
    ['entry', 'i32'],
    ['i', 'i32'],
    ['top', 'i32'],
  ],
  body: [
    ...set('end', call('string', p)),
    ...when(or(eqz(get('end')), globalGet('escaped')), UNSURE),
    ...set('length', sub(sub(get('end'), p), i32(1))),
    ...set('top', globalGet('names')),
    ...when(geU(get('top'), i32(NAMES + MAX_NAMES * 8)), UNSURE),
    ...set('entry', get('base')),
    ...block(
      'unique',
      loop(
        'entries',
        branchIf('unique', geU(entry, get('top'))),
        block(
          'differs',
          branchIf('differs', ne(load32(entry, 4), nameLength)),
          set('i', i32(0)),
          loop(
            'bytes',
            when(geU(get('i'), nameLength), UNSURE),
            branchIf('differs', ne(load8(add(load32(entry), get('i'))), load8(add(p, get('i'))))),
            set('i', add(get('i'), i32(1))),
            branch('bytes'),
          ),
        ),
        set('entry', add(entry, i32(8))),
        branch('entries'),
      ),
    ),
    ...store32(get('top'), p),
    ...store32(get('top'), nameLength, 4),
    ...globalSet('names', add(get('top'), i32(8))),
    ...get('end'),
  ],
};

/** The four bytes of an ASCII word as a little-endian i32. */
const word = (ascii: string): Code => i32(Buffer.from(ascii).readInt32LE());

/** Moves `p` over `true`, `false` or `null`; unsure where anything else stands. */
export const literal = (name: 'true' | 'false' | 'null'): Code => {
  const differs = ne(load32(p), word(name.slice(0, 4)));
  const fifth = name.length === 5 ? or(differs, ne(load8(p, 4), i32(name.charCodeAt(4)))) : differs;
  return [...when(fifth, UNSURE), ...advance(name.length)];
};

/** A value of any shape, at its first byte; names that stand twice are found at every level. */
const anyValue: FunctionCode = {
  name: 'any',
  params: [
    ['p', 'i32'],
    ['depth', 'i32'],
  ],
  result: 'i32',
  locals: [
    ['c', 'i32'],
    ['base', 'i32'],
  ],
  body: [
    ...set('c', load8(p)),
    ...when(eq(get('c'), i32(QUOTE)), giveBack(call('string', add(p, i32(1))))),
    ...when(eq(get('c'), i32(0x74)), [...literal('true'), ...giveBack(p)]),
    ...when(eq(get('c'), i32(0x66)), [...literal('false'), ...giveBack(p)]),
    ...when(eq(get('c'), i32(0x6e)), [...literal('null'), ...giveBack(p)]),
    ...when(and(ne(get('c'), i32(0x7b)), ne(get('c'), i32(0x5b))), giveBack(call('number', p))),
    ...when(geU(get('depth'), globalGet('maxDepth')), UNSURE),
    ...advance(1),
    ...skipSpace,
    ...when(eq(load8(p), add(get('c'), i32(2))), giveBack(add(p, i32(1)))),
    ...set('base', globalGet('names')),
    ...loop(
      'members',
      when(eq(get('c'), i32(0x7b)), [
        ...when(ne(load8(p), i32(QUOTE)), UNSURE),
        ...proceed(call('unknownName', add(p, i32(1)), get('base'))),
        ...expectColon,
      ]),
      proceed(call('any', p, add(get('depth'), i32(1)))),
      skipSpace,
      when(eq(load8(p), i32(0x2c)), [...advance(1), ...skipSpace, ...branch('members')]),
    ),
    ...when(ne(load8(p), add(get('c'), i32(2))), UNSURE),
    ...globalSet('names', get('base')),
    ...add(p, i32(1)),
  ],
};

/** Code points of the text in [p, end), which is UTF-8 without escapes. */
const codePoints: FunctionCode = {
  name: 'codePoints',
  params: [
    ['p', 'i32'],
    ['end', 'i32'],
  ],
  result: 'i32',
  locals: [['count', 'i32']],
  body: [
    ...block(
      'done',
      loop(
        'next',
        branchIf('done', geU(p, get('end'))),
        // Every byte counts but the continuation bytes 10xxxxxx.
        set('count', add(get('count'), ne(and(load8(p), i32(0xc0)), i32(0x80)))),
        advance(1),
        branch('next'),
      ),
    ),
    ...get('count'),
  ],
};

/** Adds an entry to the notes: 1, or 0 (unsure) where there is no room. */
const note: FunctionCode = {
  name: 'note',
  params: [
    ['lastName', 'i32'],
    ['close', 'i32'],
    ['object', 'i32'],
    ['missing', 'i64'],
  ],
  result: 'i32',
  locals: [['at', 'i32']],
  body: [
    ...set('at', globalGet('notes')),
    ...when(geU(get('at'), i32(NOTES + MAX_NOTES * NOTE_BYTES)), UNSURE),
    ...store32(get('at'), get('lastName')),
    ...store32(get('at'), get('close'), 4),
    ...store32(get('at'), get('object'), 8),
    ...store64(get('at'), get('missing'), 16),
    ...globalSet('notes', add(get('at'), i32(NOTE_BYTES))),
    ...i32(1),
  ],
};

/** Sums, over the bytes in [p, end), what `sixteen` counts in the vector `v` and `single` in the byte `c`. */
const counting = (name: string, sixteen: Code, single: Code): FunctionCode => ({
  name,
  params: [
    ['p', 'i32'],
    ['end', 'i32'],
  ],
  result: 'i32',
  locals: [
    ['v', 'v128'],
    ['c', 'i32'],
    ['count', 'i32'],
  ],
  exported: true,
  body: [
    ...block(
      'rest',
      loop(
        'vectors',
        branchIf('rest', gtU(add(p, i32(16)), get('end'))),
        set('v', load128(p)),
        set('count', add(get('count'), sixteen)),
        advance(16),
        branch('vectors'),
      ),
    ),
    ...block(
      'done',
      loop(
        'bytes',
        branchIf('done', geU(p, get('end'))),
        set('c', load8(p)),
        set('count', add(get('count'), single)),
        advance(1),
        branch('bytes'),
      ),
    ),
    ...get('count'),
  ],
});

/** How many bytes of a comparison are true. */
const howMany = (comparison: Code): Code => popcnt(bitmask(comparison));

const lineFeedsIn = counting('lineFeedsIn', howMany(bytesEq(get('v'), splat(0x0a))), eq(get('c'), i32(0x0a)));

/** A character has a code unit for its lead byte, and a second one from U+10000 on, where the lead is 0xf0 or more. */
const codeUnitsIn = counting(
  'codeUnitsIn',
  add(
    add(howMany(bytesLtU(get('v'), splat(0x80))), howMany(bytesGtU(get('v'), splat(0xbf)))),
    howMany(bytesGtU(get('v'), splat(0xef))),
  ),
  add(or(ltU(get('c'), i32(0x80)), gtU(get('c'), i32(0xbf))), gtU(get('c'), i32(0xef))),
);

export const RUNTIME: readonly FunctionCode[] = [
  space,
  text,
  number,
  unknownName,
  anyValue,
  codePoints,
  note,
  lineFeedsIn,
  codeUnitsIn,
];
