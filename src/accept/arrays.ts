/**
 * Arrays: their items, how many there are, whether they differ, and `contains`.
 */

import type { DialectKeyword } from '../schema/dialect.ts';
import type { Keywords, Schema, SchemaNode } from '../schema/node.ts';
import type { Code, FunctionCode } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import { type CompilerContext, inner, inside, isCharged, isReread, type Place } from './context.ts';
import { count32 } from './scalars.ts';
import { betweenBrackets, charge, INVALID, mustNotBeSpent, UNSURE } from './templates.ts';
import { Unsupported } from './unsupported.ts';

/** The keywords for which there is code in this file. */
export const ARRAY_KEYWORDS: readonly DialectKeyword[] = [
  ...(['prefixItems', 'items', 'minItems', 'maxItems', 'uniqueItems', 'contains'] as const),
];

/** Those that are noted while an array is read. */
export const NOTED_OF_ARRAYS: readonly DialectKeyword[] = ['prefixItems', 'items'];

/** More schemas for single items make too much code. */
const MOST_LISTED = 500;

type ArrayPlan = Pick<Place, 'reading' | 'path'>;

const p = asm.localGet('p');
const count = asm.localGet('count');

/** The code of a function that reads an array from its opening bracket, which is there. */
export function arrayCode(
  schema: SchemaNode,
  { reading, path }: ArrayPlan,
  compiler: CompilerContext,
): Pick<FunctionCode, 'locals' | 'body'> {
  const notes = reading === 'note' ? compiler.notes : null;
  const keywords: Keywords = notes === null ? schema : {};
  const { minItems, maxItems, uniqueItems } = keywords;
  const { listed, other } = itemsOf(schema, compiler);
  const contains = containsOf(keywords, compiler);
  const counted = [minItems, maxItems].some((limit) => limit !== undefined);
  const isUnique = uniqueItems === true;
  const isFirst = !isReread(reading);
  const place = inside({ reading, path }, '*');
  const item =
    listed.length === 0 ? compiler.value(other, place) : itemByIndex(listed, other, place, compiler);
  const needsCount = counted || isUnique || listed.length > 0;
  const needsStart = isCharged(reading) || contains !== null;
  const body: Code = [
    isFirst ? asm.if_(asm.i32GeU('depth', asm.globalGet('maxDepth')), UNSURE) : [],
    isCharged(reading) ? mustNotBeSpent : [],
    isUnique ? asm.localSet('start', p) : [],
    betweenBrackets(0x5d, [
      compiler.defaults === null ? [] : asm.globalSet('nameAt', -1),
      needsStart ? asm.localSet('itemAt', p) : [],
      item,
      needsCount ? asm.localSet('count', asm.i32Add(count, 1)) : [],
      contains === null ? [] : countContained(contains, path, compiler),
      isCharged(reading) ? charge(asm.localGet('itemAt')) : [],
    ]),
    minItems === undefined ? [] : asm.if_(asm.i32LtU(count, count32(minItems)), INVALID),
    maxItems === undefined ? [] : asm.if_(asm.i32GtU(count, count32(maxItems)), INVALID),
    contains === null ? [] : checkContained(contains),
    isUnique ? checkUnique : [],
    notes === null
      ? asm.i32Add(p, 1)
      : [
          asm.localSet('end', asm.i32Add(p, 1)),
          ...notes.others({ schema, path }, ['type', ...NOTED_OF_ARRAYS]),
          asm.localGet('end'),
        ],
  ];
  const locals = asm.i32s('count', 'start', 'itemAt', 'contained', 'unclear', 'result');
  return { locals, body };
}

/** The schemas for the first items, and the one for all others. */
function itemsOf(
  schema: SchemaNode,
  { defaults }: CompilerContext,
): { readonly listed: readonly Schema[]; readonly other: Schema } {
  const { items = true, prefixItems } = schema;
  if (prefixItems === undefined) return { listed: [], other: items };
  if (prefixItems.length > MOST_LISTED)
    throw new Unsupported(`more than ${MOST_LISTED} schemas for single items`);
  if (defaults !== null) throw new Unsupported('schemas for single items, beside defaults to fill in');
  return { listed: prefixItems, other: items };
}

/** Reads the item with index `count`. */
function itemByIndex(
  listed: readonly Schema[],
  other: Schema,
  place: ReturnType<typeof inside>,
  compiler: CompilerContext,
): Code {
  const labels = listed.map((_, i) => `item ${i}`);
  let code = asm.brTable(count, labels, 'other item');
  for (const [i, schema] of listed.entries()) {
    code = [asm.block(labels[i]!, code), ...compiler.value(schema, place), asm.br('item')];
  }
  return asm.block('item', asm.block('other item', code), compiler.value(other, place));
}

interface Contains {
  readonly schema: Schema;
  readonly least: number;
  readonly most: number | null;
}

function containsOf(keywords: Keywords, { defaults }: CompilerContext): Contains | null {
  const { contains, minContains = 1, maxContains = null } = keywords;
  if (contains === undefined) return null;
  if (defaults !== null) throw new Unsupported('"contains", beside defaults to fill in');
  return { schema: contains, least: minContains, most: maxContains };
}

/** Counts the item from `itemAt` to before `p` in `contained` if it matches, in `unclear` if that is unsure. */
function countContained({ schema, least, most }: Contains, path: string, compiler: CompilerContext): Code {
  const matches = compiler.functionFor(schema, 'check', `${path}/*`);
  const isDecided = most === null ? asm.i32GeU('contained', least) : asm.i32Const(0);
  return asm.if_(asm.i32Eqz(isDecided), [
    asm.localSet('result', asm.call(matches, 'itemAt', inner)),
    asm.localSet('contained', asm.i32Add('contained', asm.i32GtU('result', 1))),
    asm.localSet('unclear', asm.i32Add('unclear', asm.i32Eqz('result'))),
  ]);
}

function checkContained({ least, most }: Contains): Code {
  const all = asm.i32Add('contained', 'unclear');
  const tooFew = [
    asm.if_(asm.i32LtU(all, count32(least)), INVALID),
    asm.if_(asm.i32LtU('contained', count32(least)), UNSURE),
  ];
  if (most === null) return tooFew;
  return [
    tooFew,
    asm.if_(asm.i32GtU('contained', count32(most)), INVALID),
    asm.if_(asm.i32GtU(all, count32(most)), UNSURE),
  ];
}

/** The items from `start` on must differ. */
const checkUnique: Code = asm.if_(asm.i32GtU(count, 1), [
  asm.localSet('result', asm.call('unique', 'start')),
  asm.if_(asm.i32Eqz('result'), UNSURE),
  asm.if_(asm.i32Eq('result', 1), INVALID),
]);
