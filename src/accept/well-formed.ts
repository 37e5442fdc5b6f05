/**
 * Accept modules that check only whether a payload is well-formed: a JSON text (RFC 8259) within the limits of depth
 * and size. Duplicate names are accepted, and numbers beyond a double too, if their form is certain. One of them also
 * writes the texts without the white space between their tokens.
 */
import {
  br,
  type Code,
  call,
  type FunctionCode,
  globalGet,
  i32Add,
  i32Const,
  i32Ctz,
  i32Eq,
  i32GeU,
  i32Load8U,
  i32Load16U,
  i32Or,
  i32Shl,
  i32s,
  if_,
  localGet,
  localSet,
  loop,
  return_,
} from '../wasm/assembler.ts';
import { compactText } from './compact.ts';
import { inner, PARAMS } from './context.ts';
import { type AcceptModule, type ModuleAdditions, moduleOf } from './module.ts';
import { ANY_JSON, type Around } from './payload-layout.ts';
import { QUOTE, stringEnds } from './string-bytes.ts';
import { advance, isAtP, isNotAtP, literal, proceed, skipSpace, UNSURE } from './templates.ts';
import { dropSpace, WRITER_GLOBALS, writerFunctions } from './writer.ts';

const COMMA = 0x2c;
const COLON = 0x3a;
/** The function for any value, and those for objects and arrays. */
const NAME = 'text';
const OBJECT = 'members';
const ARRAY = 'items';
/** The one for a payload. */
const PAYLOAD = 'payloadText';

const p = localGet('p');
const q = localGet('q');
const next = i32Add(p, i32Const(1));

/**
 * The opening quote of a string is at `p`: moves `q` to the byte that ends or interrupts it, or to the one after 32
 * others. Most strings are short, so their end and what follows are found without a loop, whose length processors
 * cannot predict.
 */
const lookForEnd: Code = localSet(
  'q',
  i32Add(next, i32Ctz(i32Or(stringEnds(p, 1), i32Shl(stringEnds(p, 17), i32Const(16))))),
);
/** The string ends at `q`, and `byte` follows. */
const endsWith = (byte: number): Code => i32Eq(i32Load16U(q), i32Const((byte << 8) | QUOTE));
/** Moves `p` to the byte after a string that has been read up to `q`. */
const passString: Code = if_(
  i32Eq(i32Load8U(q), i32Const(QUOTE)),
  localSet('p', i32Add(q, i32Const(1))),
  proceed(call('string', q)),
);
/** Goes on with the next member or item. */
const goOn = (label: string, at: Code): Code => [...localSet('p', at), ...br(label)];

/** A value of any shape, from its first byte. */
const anyText: FunctionCode = {
  name: NAME,
  params: PARAMS,
  result: 'i32',
  locals: i32s('c'),
  body: [
    ...localSet('c', i32Load8U(p)),
    ...if_(i32Eq(localGet('c'), i32Const(0x7b)), return_(call(OBJECT, p, localGet('depth')))),
    ...if_(i32Eq(localGet('c'), i32Const(QUOTE)), return_(call('string', next))),
    ...if_(i32Eq(localGet('c'), i32Const(0x5b)), return_(call(ARRAY, p, localGet('depth')))),
    ...if_(i32Eq(localGet('c'), i32Const(0x74)), [...literal('true'), ...return_(p)]),
    ...if_(i32Eq(localGet('c'), i32Const(0x66)), [...literal('false'), ...return_(p)]),
    ...if_(i32Eq(localGet('c'), i32Const(0x6e)), [...literal('null'), ...return_(p)]),
    ...call('number', p),
  ],
};

/** From the opening bracket on: moves `p` to what is inside. `close`: the closing bracket. */
const open = (close: number, space: Code): Code => [
  ...if_(i32GeU(localGet('depth'), globalGet('maxDepth')), UNSURE),
  ...advance(1),
  ...space,
  ...if_(isAtP(close), return_(next)),
];

/** After the last value. */
const end = (close: number): Code => [...if_(isNotAtP(close), UNSURE), ...next];

const BRACE = 0x7d;
const BRACKET = 0x5d;

/** An object. `space` moves `p` past white space. */
const members = (space: Code): FunctionCode => ({
  name: OBJECT,
  params: PARAMS,
  result: 'i32',
  locals: [...i32s('q'), ['v', 'v128']],
  body: [
    ...open(BRACE, space),
    ...loop(
      'members',
      if_(isNotAtP(QUOTE), [...space, ...if_(isNotAtP(QUOTE), UNSURE)]),
      lookForEnd,
      if_(endsWith(COLON), localSet('p', i32Add(q, i32Const(2))), [
        ...passString,
        ...space,
        ...if_(isNotAtP(COLON), UNSURE),
        ...advance(1),
      ]),
      space,
      if_(
        isAtP(QUOTE),
        [
          ...lookForEnd,
          ...if_(endsWith(COMMA), goOn('members', i32Add(q, i32Const(2)))),
          ...if_(endsWith(BRACE), return_(i32Add(q, i32Const(2)))),
          ...passString,
        ],
        proceed(call(NAME, p, inner)),
      ),
      space,
      if_(isAtP(COMMA), goOn('members', next)),
    ),
    ...end(BRACE),
  ],
});

/** An array; see `members`. */
const items = (space: Code): FunctionCode => ({
  name: ARRAY,
  params: PARAMS,
  result: 'i32',
  locals: [],
  body: [
    ...open(BRACKET, space),
    ...loop('items', space, proceed(call(NAME, p, inner)), space, if_(isAtP(COMMA), goOn('items', next))),
    ...end(BRACKET),
  ],
});

/** A payload: most have no white space. */
const payloadText: FunctionCode = {
  name: PAYLOAD,
  params: PARAMS,
  result: 'i32',
  locals: i32s('c', 'end'),
  body: [
    ...localSet('c', i32Load8U(p)),
    ...if_(i32Or(i32Eq(localGet('c'), i32Const(0x7b)), i32Eq(localGet('c'), i32Const(0x5b))), [
      ...localSet('end', call(compactText.name, p, localGet('depth'))),
      ...if_(localGet('end'), return_(localGet('end'))),
    ]),
    ...call(NAME, p, localGet('depth')),
  ],
};

const functionsFor = (space: Code): readonly FunctionCode[] => [
  anyText,
  members(space),
  items(space),
  compactText,
  payloadText,
];

/**
 * The module for payloads of any kind. Unless `around` is null, it also writes each payload without white space, and
 * with a byte before or after it.
 */
export function wellFormedModule(around: Around | null): AcceptModule {
  if (around === null) return madeOf(functionsFor(skipSpace), PAYLOAD);
  const { functions, entry, accepted } = writerFunctions(PAYLOAD, around);
  return madeOf([...functionsFor(dropSpace), ...functions], entry, {
    globals: WRITER_GLOBALS,
    accepted,
    knowsAll: false,
  });
}

function madeOf(
  functions: readonly FunctionCode[],
  entry: string,
  additions?: ModuleAdditions,
): AcceptModule {
  return {
    module: moduleOf(functions, [entry], additions),
    kinds: [ANY_JSON],
    reasons: new Map(),
    unsure: new Map(),
    tables: new Uint8Array(0),
    fillable: [],
    exactPaths: true,
  };
}
