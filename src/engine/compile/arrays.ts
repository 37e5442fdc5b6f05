/** Arrays and their items. The keywords about all items of an array have their code in `src/keywords/`. */
import { ARRAY_CODES } from '../../keywords/codes.ts';
import { Unsupported } from '../../keywords/keyword-code.ts';
import type { DialectKeyword } from '../../schema/dialect.ts';
import type { Keywords, Schema, SchemaNode } from '../../schema/node.ts';
import type { Code, FunctionCode } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import { betweenBrackets, charge, mustNotBeSpent, p, UNSURE } from '../../wasm/templates.ts';
import { type CompilerContext, codeContext, inside, isCharged, isReread, type ReadingPlace } from './context.ts';

/** The keywords for which there is code in this file. They are noted while an array is read. */
export const ITEM_KEYWORDS: readonly DialectKeyword[] = ['prefixItems', 'items'];

/** More schemas for single items make too much code. */
const MOST_SINGLE_ITEMS = 500;

const count = asm.localGet('count');

/** The code of a function that reads an array from its opening bracket, which is there. */
export function arrayCode(
  schema: SchemaNode,
  { reading, path }: Pick<ReadingPlace, 'reading' | 'path'>,
  compiler: CompilerContext,
): Pick<FunctionCode, 'locals' | 'body'> {
  const notes = reading === 'note' ? compiler.notes : null;
  const { listed, other } = itemsOf(schema, compiler);
  const isFirst = !isReread(reading);
  const place = inside({ reading, path }, '*');
  const item = listed.length === 0 ? compiler.value(other, place) : itemByIndex(listed, other, place, compiler);
  // In the way `note`, the keywords about all items are asked by themselves.
  const keywords: Keywords = notes === null ? schema : {};
  const context = codeContext(compiler, path);
  const parts = ARRAY_CODES.flatMap(({ make }) => make(keywords, context) ?? []);
  const needsCount = parts.some(({ counts }) => counts) || listed.length > 0;
  const needsStart = isCharged(reading) || parts.some(({ needsItems }) => needsItems);
  const body: Code = [
    isFirst ? asm.if_(asm.i32GeU('depth', asm.globalGet('maxDepth')), UNSURE) : [],
    isCharged(reading) ? mustNotBeSpent : [],
    parts.map(({ before = [] }) => before),
    betweenBrackets(0x5d, [
      compiler.defaults === null ? [] : asm.globalSet('nameAt', -1),
      needsStart ? asm.localSet('itemAt', p) : [],
      item,
      needsCount ? asm.localSet('count', asm.i32Add(count, 1)) : [],
      parts.map(({ each = [] }) => each),
      isCharged(reading) ? charge(asm.localGet('itemAt')) : [],
    ]),
    parts.map(({ after }) => after),
    notes === null
      ? asm.i32Add(p, 1)
      : [
          asm.localSet('end', asm.i32Add(p, 1)),
          ...notes.others({ schema, path }, ['type', ...ITEM_KEYWORDS]),
          asm.localGet('end'),
        ],
  ];
  const locals = asm.i32s('count', 'start', 'itemAt', 'contained', 'unclear', 'result');
  return { locals, body };
}

function itemsOf(
  schema: SchemaNode,
  { defaults }: CompilerContext,
): { readonly listed: readonly Schema[]; readonly other: Schema } {
  const { items = true, prefixItems } = schema;
  if (prefixItems === undefined) return { listed: [], other: items };
  if (prefixItems.length > MOST_SINGLE_ITEMS)
    throw new Unsupported(`more than ${MOST_SINGLE_ITEMS} schemas for single items`);
  if (defaults !== null) throw new Unsupported('schemas for single items, beside defaults to fill in');
  return { listed: prefixItems, other: items };
}

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
