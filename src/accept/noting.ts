/**
 * The way `note`: a function reads a value to its end whatever is wrong with it, and notes each keyword that fails. Members and
 * items are noted while the value is read; every other keyword is asked by itself.
 */
import type { DialectKeyword } from '../schema/dialect.ts';
import type { SchemaNode } from '../schema/node.ts';
import {
  type Code,
  call,
  type FunctionCode,
  globalGet,
  globalSet,
  i32Const,
  i32Eqz,
  i32GtU,
  i32s,
  if_,
  localGet,
  localSet,
  localTee,
  return_,
} from '../wasm/assembler.ts';
import { arrayCode, NOTED_OF_ARRAYS } from './arrays.ts';
import { type CompilerContext, LOCALS, PARAMS } from './context.ts';
import { NOTED_OF_OBJECTS, type ObjectPlan, objectCode } from './objects.ts';
import { FIRST_BYTE } from './scalars.ts';
import { namedTypes } from './shape.ts';
import { INVALID, UNSURE } from './templates.ts';
import { Unsupported } from './unsupported.ts';

/** The keywords that change which values those that are noted are about. */
const AGAINST: readonly DialectKeyword[] = ['patternProperties', 'unevaluatedProperties', 'unevaluatedItems'];

/** For the containers that can be noted while they are read. */
const CONTAINERS = [
  { type: 'object', keywords: NOTED_OF_OBJECTS, code: objectCode },
  { type: 'array', keywords: NOTED_OF_ARRAYS, code: arrayCode },
] as const;

/** The noting function for a schema. With a guard for an object, it is "surely invalid" if the payload is of another kind. */
export function notingFunction(
  name: string,
  schema: SchemaNode,
  plan: ObjectPlan,
  compiler: CompilerContext,
): FunctionCode {
  const types = namedTypes(schema);
  const has = (keyword: DialectKeyword): boolean => schema[keyword] !== undefined;
  const containers = CONTAINERS.filter(
    ({ type, keywords }) => types.includes(type) && keywords.some(has) && !AGAINST.some(has),
  ).map(({ type, code }) => ({ type, ...code(schema, plan, compiler) }));
  if (plan.guard.object && containers.length === 0)
    throw new Unsupported('a kind that is not an object with members');
  const first = compiler.functionFor(schema, 'first', '');
  const end = localGet('end');
  const depth = localGet('depth');
  const body: Code = [
    localSet('start', localGet('p')),
    containers.map(({ type, body }) => if_(FIRST_BYTE[type]!, return_(body))),
    plan.guard.object ? INVALID : [],
    // Another value is read as accept reads it, if nothing is wrong with it.
    localSet('base', globalGet('names')),
    if_(i32GtU(localTee('end', call(first, localGet('p'), depth)), i32Const(1)), return_(end)),
    globalSet('names', localGet('base')),
    localSet('end', call('any', localGet('start'), depth)),
    if_(i32Eqz(end), UNSURE),
    compiler.notes!.others({ schema, path: plan.path }, []),
    end,
  ];
  const own = i32s('start', 'end', 'base', 'result', 'strangers');
  const locals = new Map([...LOCALS, ...own, ...containers.flatMap((container) => container.locals)]);
  return { name, params: PARAMS, result: 'i32', locals: [...locals], body };
}
