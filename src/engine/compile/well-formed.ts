/**
 * Accept modules that check only whether a payload is well-formed: a JSON text (RFC 8259) within the limits of depth
 * and size. Duplicate names are accepted, and numbers beyond a double too, if their form is certain. One of them also
 * writes the texts without the white space between their tokens.
 */
import { COLON, COMMA, QUOTE } from '../../json/skip.ts';
import type { Code, FunctionCode, Variables } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import { ANY_JSON, type Around } from '../../wasm/layout.ts';
import { advance, isAtP, isNotAtP, literals, p, proceed, skipSpace, UNSURE } from '../../wasm/templates.ts';
import { compactText } from './compact.ts';
import { inner, PARAMS } from './context.ts';
import { type AcceptModule, moduleOf } from './module.ts';
import { stringEnds } from './text.ts';
import { dropSpace, WRITER_GLOBALS, writerFunctions } from './writer.ts';

/** The function for any value, and those for objects and arrays. */
const NAME = 'text';
const OBJECT = 'members';
const ARRAY = 'items';
const PAYLOAD = 'payloadText';

const q = asm.localGet('q');
const next = asm.i32Add(p, 1);

/**
 * The opening quote of a string is at `p`: moves `q` to the byte that ends or interrupts it, or past 32 others. Most
 * strings are short: their end is found without a loop, whose length processors cannot predict.
 */
const lookForEnd: Code = asm.localSet(
  'q',
  asm.i32Add(next, asm.i32Ctz(asm.i32Or(stringEnds(p, 1), asm.i32Shl(stringEnds(p, 17), 16)))),
);
const endsWith = (byte: number): Code => asm.i32Eq(asm.i32Load16U(q), (byte << 8) | QUOTE);
/** Moves `p` to the byte after a string that has been read up to `q`. */
const passString: Code = asm.if_(
  asm.i32Eq(asm.i32Load8U(q), QUOTE),
  asm.localSet('p', asm.i32Add(q, 1)),
  proceed(asm.call('string', q)),
);
const goOn = (label: string, at: Code): Code => [asm.localSet('p', at), asm.br(label)];

const anyText = asm.func(NAME, PARAMS, asm.i32s('c'), [
  asm.localSet('c', asm.i32Load8U(p)),
  asm.if_(asm.i32Eq('c', 0x7b), asm.return_(asm.call(OBJECT, p, 'depth'))),
  asm.if_(asm.i32Eq('c', QUOTE), asm.return_(asm.call('string', next))),
  asm.if_(asm.i32Eq('c', 0x5b), asm.return_(asm.call(ARRAY, p, 'depth'))),
  literals(asm.return_(p)),
  asm.call('number', p),
]);

/** From the opening bracket on: moves `p` to what is inside. `close`: the closing bracket. */
const open = (close: number, space: Code): Code => [
  asm.if_(asm.i32GeU('depth', asm.globalGet('maxDepth')), UNSURE),
  advance(1),
  ...space,
  asm.if_(isAtP(close), asm.return_(next)),
];

const end = (close: number): Code => [asm.if_(isNotAtP(close), UNSURE), next];

const BRACE = 0x7d;
const BRACKET = 0x5d;

const MEMBERS_LOCALS: Variables = [...asm.i32s('q'), ['v', 'v128']];

/** An object. `space` moves `p` past white space. */
const members = (space: Code): FunctionCode =>
  asm.func(OBJECT, PARAMS, MEMBERS_LOCALS, [
    open(BRACE, space),
    asm.loop(
      'members',
      asm.if_(isNotAtP(QUOTE), [...space, asm.if_(isNotAtP(QUOTE), UNSURE)]),
      lookForEnd,
      asm.if_(endsWith(COLON), asm.localSet('p', asm.i32Add(q, 2)), [
        passString,
        ...space,
        asm.if_(isNotAtP(COLON), UNSURE),
        advance(1),
      ]),
      space,
      asm.if_(
        isAtP(QUOTE),
        [
          lookForEnd,
          asm.if_(endsWith(COMMA), goOn('members', asm.i32Add(q, 2))),
          asm.if_(endsWith(BRACE), asm.return_(asm.i32Add(q, 2))),
          passString,
        ],
        proceed(asm.call(NAME, p, inner)),
      ),
      space,
      asm.if_(isAtP(COMMA), goOn('members', next)),
    ),
    end(BRACE),
  ]);

/** An array; see `members`. */
const items = (space: Code): FunctionCode =>
  asm.func(ARRAY, PARAMS, asm.NONE, [
    open(BRACKET, space),
    asm.loop('items', space, proceed(asm.call(NAME, p, inner)), space, asm.if_(isAtP(COMMA), goOn('items', next))),
    end(BRACKET),
  ]);

/** A payload: most have no white space. */
const payloadText = asm.func(PAYLOAD, PARAMS, asm.i32s('c', 'end'), [
  asm.localSet('c', asm.i32Load8U(p)),
  asm.if_(asm.i32Or(asm.i32Eq('c', 0x7b), asm.i32Eq('c', 0x5b)), [
    asm.localSet('end', asm.call(compactText.name, p, 'depth')),
    asm.if_('end', asm.return_('end')),
  ]),
  asm.call(NAME, p, 'depth'),
]);

const functionsFor = (space: Code): readonly FunctionCode[] => [
  anyText,
  members(space),
  items(space),
  compactText,
  payloadText,
];

/** The module for payloads of any kind. Unless `around` is null, it writes them without white space. */
export function wellFormedModule(around: Around | null): AcceptModule {
  const writer = around === null ? null : writerFunctions(PAYLOAD, around);
  const functions = writer === null ? functionsFor(skipSpace) : [...functionsFor(dropSpace), ...writer.functions];
  const globals = writer === null ? [] : WRITER_GLOBALS;
  const additions = { globals, accepted: writer?.accepted ?? [], knowsAll: false };
  return {
    module: moduleOf(functions, [writer?.entry ?? PAYLOAD], additions),
    kinds: [ANY_JSON],
    reasons: new Map(),
    unsure: new Map(),
    tables: new Uint8Array(0),
    fillable: [],
    exactPaths: true,
  };
}
