/**
 * Accept modules that check only whether a payload is well-formed: a JSON text (RFC 8259) within the limits of depth
 * and size. Duplicate names are accepted, and numbers beyond a double too, if their form is certain. One of them also
 * writes the texts without the white space between their tokens.
 */
import { COLON, OPEN_ARRAY, OPEN_OBJECT } from '../../json/skip.ts';
import type { Code, FunctionCode } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import { ANY_JSON, type Around } from '../../wasm/layout.ts';
import { advance, isNotAtP, p, proceed, skipSpace, UNSURE } from '../../wasm/templates.ts';
import { compactText } from './compact.ts';
import { PARAMS } from './context.ts';
import { type AcceptModule, moduleOf } from './module.ts';
import { valueOfAnyShape } from './runtime.ts';
import { dropSpace, WRITER_GLOBALS, writerFunctions } from './writer.ts';

/** The function for any value. */
const NAME = 'text';
const PAYLOAD = 'payloadText';

/** Any value. `space` moves `p` past white space. */
const anyText = (space: Code): FunctionCode =>
  valueOfAnyShape(NAME, {
    space,
    name: [proceed(asm.call('string', asm.i32Add(p, 1))), space, asm.if_(isNotAtP(COLON), UNSURE), advance(1), space],
  });

/** A payload: most have no white space. */
const payloadText = asm.func(PAYLOAD, PARAMS, asm.i32s('c', 'end'), [
  asm.localSet('c', asm.i32Load8U(p)),
  asm.if_(asm.i32Or(asm.i32Eq('c', OPEN_OBJECT), asm.i32Eq('c', OPEN_ARRAY)), [
    asm.localSet('end', asm.call(compactText.name, p, 'depth')),
    asm.if_('end', asm.return_('end')),
  ]),
  asm.call(NAME, p, 'depth'),
]);

const functionsFor = (space: Code): readonly FunctionCode[] => [anyText(space), compactText, payloadText];

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
