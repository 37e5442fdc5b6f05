/**
 * Arrays: `items`, `minItems`, `maxItems`.
 */

import type { Schema, SchemaObject } from '../schema/load.ts';
import {
  add,
  block,
  branch,
  type Code,
  eq,
  type FunctionCode,
  get,
  geU,
  globalGet,
  globalSet,
  gtU,
  i32,
  load8,
  loop,
  ltU,
  ne,
  set,
  when,
} from '../wasm/assembler.ts';
import { type CompilerContext, inner, LOCALS, PARAMS } from './context.ts';
import { advance, skipSpace, UNSURE } from './runtime.ts';
import { count32 } from './scalars.ts';

/** The function that reads an array from its opening bracket. */
export function arrayFunction(
  name: string,
  schema: SchemaObject,
  compiler: CompilerContext,
  path: string,
): FunctionCode {
  const { minItems, maxItems } = schema;
  const items = (schema.items ?? true) as Schema; // the meta-schema has seen it
  const p = get('p');
  const counted = minItems !== undefined || maxItems !== undefined;
  const body: Code = [
    ...when(ne(load8(p), i32(0x5b)), UNSURE),
    ...when(geU(get('depth'), globalGet('maxDepth')), UNSURE),
    ...advance(1),
    ...skipSpace,
    ...block(
      'close',
      when(eq(load8(p), i32(0x5d)), branch('close')),
      loop(
        'items',
        counted ? set('count', add(get('count'), i32(1))) : [],
        compiler.defaults === null ? [] : globalSet('nameAt', i32(-1)),
        compiler.value(items, inner, `${path}/*`),
        skipSpace,
        when(eq(load8(p), i32(0x2c)), [...advance(1), ...skipSpace, ...branch('items')]),
      ),
      when(ne(load8(p), i32(0x5d)), UNSURE),
    ),
    ...(minItems === undefined ? [] : when(ltU(get('count'), count32(minItems)), UNSURE)),
    ...(maxItems === undefined ? [] : when(gtU(get('count'), count32(maxItems)), UNSURE)),
    ...add(p, i32(1)),
  ];
  return { name, params: PARAMS, result: 'i32', locals: [...LOCALS, ['count', 'i32']], body };
}
