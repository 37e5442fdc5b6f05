/**
 * An accept module that asks only whether a payload is well formed, a JSON text (RFC 8259) within the limits of depth and size. Duplicate
 * names pass, and so do numbers beyond a double, as far as it is sure of their form.
 */
import {
  add,
  and,
  branch,
  call,
  eq,
  eqz,
  type FunctionCode,
  get,
  geU,
  giveBack,
  globalGet,
  i32,
  load8,
  loop,
  ne,
  set,
  when,
} from '../wasm/assembler.ts';
import { PARAMS } from './context.ts';
import { type AcceptModule, moduleOf } from './module.ts';
import { advance, expectColon, literal, proceed, skipSpace, UNSURE } from './runtime.ts';

/** The one kind of such payloads. */
export const ANY_JSON = 'json';

const p = get('p');
const c = get('c');
const QUOTE = i32(0x22);
const OBJECT = i32(0x7b);

/** A value of any shape, at its first byte. */
const anyText: FunctionCode = {
  name: 'text',
  params: PARAMS,
  result: 'i32',
  locals: [['c', 'i32']],
  body: [
    ...set('c', load8(p)),
    ...when(eq(c, QUOTE), giveBack(call('string', add(p, i32(1))))),
    ...when(eq(c, i32(0x74)), [...literal('true'), ...giveBack(p)]),
    ...when(eq(c, i32(0x66)), [...literal('false'), ...giveBack(p)]),
    ...when(eq(c, i32(0x6e)), [...literal('null'), ...giveBack(p)]),
    ...when(and(ne(c, OBJECT), ne(c, i32(0x5b))), giveBack(call('number', p))),
    ...when(geU(get('depth'), globalGet('maxDepth')), UNSURE),
    ...advance(1),
    ...skipSpace,
    // The closing bracket is two after the opening one.
    ...when(eq(load8(p), add(c, i32(2))), giveBack(add(p, i32(1)))),
    ...loop(
      'members',
      when(eq(c, OBJECT), [
        ...when(ne(load8(p), QUOTE), UNSURE),
        ...proceed(call('string', add(p, i32(1)))),
        ...expectColon,
      ]),
      proceed(call('text', p, add(get('depth'), i32(1)))),
      skipSpace,
      when(eq(load8(p), i32(0x2c)), [...advance(1), ...skipSpace, ...branch('members')]),
    ),
    ...when(eqz(eq(load8(p), add(c, i32(2)))), UNSURE),
    ...add(p, i32(1)),
  ],
};

/** The module for payloads of any kind. */
export function wellFormedModule(): AcceptModule {
  const functions = [anyText];
  return {
    module: moduleOf(functions, [anyText.name]),
    kinds: [ANY_JSON],
    reasons: new Map(),
    fillable: [],
    exactPaths: true,
  };
}
