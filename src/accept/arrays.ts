/**
 * Arrays: `items`, `minItems`, `maxItems`.
 */

import type { Schema, SchemaObject } from '../schema/load.ts';
import {
  block,
  br,
  type Code,
  type FunctionCode,
  globalGet,
  globalSet,
  i32Add,
  i32Const,
  i32Eq,
  i32GeU,
  i32GtU,
  i32Load8U,
  i32LtU,
  i32Ne,
  if_,
  localGet,
  localSet,
  loop,
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
  const items = (schema.items ?? true) as Schema; // checked by the meta-schema
  const p = localGet('p');
  const counted = minItems !== undefined || maxItems !== undefined;
  const body: Code = [
    ...if_(i32Ne(i32Load8U(p), i32Const(0x5b)), UNSURE),
    ...if_(i32GeU(localGet('depth'), globalGet('maxDepth')), UNSURE),
    ...advance(1),
    ...skipSpace,
    ...block(
      'close',
      if_(i32Eq(i32Load8U(p), i32Const(0x5d)), br('close')),
      loop(
        'items',
        counted ? localSet('count', i32Add(localGet('count'), i32Const(1))) : [],
        compiler.defaults === null ? [] : globalSet('nameAt', i32Const(-1)),
        compiler.value(items, inner, `${path}/*`),
        skipSpace,
        if_(i32Eq(i32Load8U(p), i32Const(0x2c)), [...advance(1), ...skipSpace, ...br('items')]),
      ),
      if_(i32Ne(i32Load8U(p), i32Const(0x5d)), UNSURE),
    ),
    ...(minItems === undefined ? [] : if_(i32LtU(localGet('count'), count32(minItems)), UNSURE)),
    ...(maxItems === undefined ? [] : if_(i32GtU(localGet('count'), count32(maxItems)), UNSURE)),
    ...i32Add(p, i32Const(1)),
  ];
  return { name, params: PARAMS, result: 'i32', locals: [...LOCALS, ['count', 'i32']], body };
}
