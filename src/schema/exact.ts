/**
 * Values of keywords with the numbers that the schema file writes.
 */
import { Decimal, type JsonNumber, jsonNumber } from '../json/decimal.ts';
import { parsePointer } from '../json/pointer.ts';
import type { KeywordsOfForm } from './dialect.ts';
import type { SchemaNode } from './node.ts';

/** The keywords that compare numbers with one. */
export type NumberKeyword = KeywordsOfForm<'number' | 'number above 0'>;

/** The number that a keyword of the node has. */
export function exactNumber(node: SchemaNode, keyword: NumberKeyword): JsonNumber {
  const text = node.origin.numbers?.[keyword];
  return text === undefined ? node[keyword]! : jsonNumber(text);
}

/** For messages: the text of that number if it is not what a double prints. */
export function writtenAs(node: SchemaNode, keyword: NumberKeyword): { readonly written?: string } {
  const number = exactNumber(node, keyword);
  return typeof number === 'number' ? {} : { written: number.text };
}

/** The doubles of those numbers in a keyword's value that no double is. */
export function roundedIn({ origin }: SchemaNode, keyword: string): Set<number> {
  const doubles = new Set<number>();
  for (const [at, text] of Object.entries(origin.numbers ?? {})) {
    const number = at.split('/', 1)[0] === keyword ? jsonNumber(text) : null;
    if (number instanceof Decimal) doubles.add(number.double);
  }
  return doubles;
}

/** The same in the values that a node allows. */
export function roundedValues(node: SchemaNode): ReadonlySet<number> {
  return new Set([...roundedIn(node, 'const'), ...roundedIn(node, 'enum')]);
}

/** Whether a value is, or has in it, one of `numbers`. */
export function hasNumberOf(value: unknown, numbers: ReadonlySet<number>): boolean {
  if (numbers.size === 0) return false;
  if (typeof value === 'number') return numbers.has(value);
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((inner) => hasNumberOf(inner, numbers))
  );
}

/** The value of `const` or `enum` of the node, in which numbers that no double is are `Decimal`s. */
export function exactValue(node: SchemaNode, keyword: 'const' | 'enum'): unknown {
  const texts = Object.entries(node.origin.numbers ?? {}).filter(([at]) => at.split('/', 1)[0] === keyword);
  if (texts.length === 0) return node[keyword];
  const root = { [keyword]: structuredClone(node[keyword]) };
  for (const [at, text] of texts) {
    const tokens = parsePointer(`/${at}`);
    const last = tokens.pop()!; // there is at least the keyword
    // texts have the arrangement of the value
    const around = tokens.reduce((value, token) => value[token] as Record<string, unknown>, root);
    around[last] = jsonNumber(text);
  }
  return root[keyword];
}
