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
  i32And,
  i32Const,
  i32Eq,
  i32Eqz,
  i32GeU,
  i32Load8U,
  i32Ne,
  if_,
  localGet,
  localSet,
  loop,
  return_,
} from '../wasm/assembler.ts';
import { PARAMS } from './context.ts';
import { type AcceptModule, type ModuleAdditions, moduleOf } from './module.ts';
import { advance, literal, proceed, skipSpace, UNSURE } from './runtime.ts';
import { type Around, dropSpace, WRITER_GLOBALS, writerFunctions } from './writer.ts';

/** The kind of all such payloads. */
export const ANY_JSON = 'json';

const p = localGet('p');
const c = localGet('c');
const QUOTE = i32Const(0x22);
const OBJECT = i32Const(0x7b);
const NAME = 'text';

/** Moves `p` past `byte` and the white space after it. */
const expect = (byte: number, space: Code): Code => [
  ...space,
  ...if_(i32Ne(i32Load8U(p), i32Const(byte)), UNSURE),
  ...advance(1),
  ...space,
];

/** A value of any shape, from its first byte. `space` moves `p` past white space. */
const anyText = (space: Code): FunctionCode => ({
  name: NAME,
  params: PARAMS,
  result: 'i32',
  locals: [['c', 'i32']],
  body: [
    ...localSet('c', i32Load8U(p)),
    ...if_(i32Eq(c, QUOTE), return_(call('string', i32Add(p, i32Const(1))))),
    ...if_(i32Eq(c, i32Const(0x74)), [...literal('true'), ...return_(p)]),
    ...if_(i32Eq(c, i32Const(0x66)), [...literal('false'), ...return_(p)]),
    ...if_(i32Eq(c, i32Const(0x6e)), [...literal('null'), ...return_(p)]),
    ...if_(i32And(i32Ne(c, OBJECT), i32Ne(c, i32Const(0x5b))), return_(call('number', p))),
    ...if_(i32GeU(localGet('depth'), globalGet('maxDepth')), UNSURE),
    ...advance(1),
    ...space,
    // The closing bracket is two after the opening one.
    ...if_(i32Eq(i32Load8U(p), i32Add(c, i32Const(2))), return_(i32Add(p, i32Const(1)))),
    ...loop(
      'members',
      if_(i32Eq(c, OBJECT), [
        ...if_(i32Ne(i32Load8U(p), QUOTE), UNSURE),
        ...proceed(call('string', i32Add(p, i32Const(1)))),
        ...expect(0x3a, space),
      ]),
      proceed(call(NAME, p, i32Add(localGet('depth'), i32Const(1)))),
      space,
      if_(i32Eq(i32Load8U(p), i32Const(0x2c)), [...advance(1), ...space, ...br('members')]),
    ),
    ...if_(i32Eqz(i32Eq(i32Load8U(p), i32Add(c, i32Const(2)))), UNSURE),
    ...i32Add(p, i32Const(1)),
  ],
});

/** The module for payloads of any kind. */
export function wellFormedModule(): AcceptModule {
  return madeOf([anyText(skipSpace)], NAME);
}

/** The same, which also writes each payload without white space, and with a byte before or after it. */
export function writingModule(around: Around): AcceptModule {
  const { functions, entry, accepted } = writerFunctions(NAME, around);
  return madeOf([anyText(dropSpace), ...functions], entry, {
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
