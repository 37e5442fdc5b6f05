/** Values of keywords, with numbers exactly as the schema file writes them. */
import { Decimal, type JsonNumber, jsonNumber } from '../json/decimal.ts';
import { parsePointer } from '../json/pointer.ts';
import type { KeywordsOfForm } from './dialect.ts';
import type { SchemaNode } from './node.ts';

export type NumberKeyword = KeywordsOfForm<'number' | 'number above 0'>;

/** The number that a keyword of the node has. */
export function exactNumber(node: SchemaNode, keyword: NumberKeyword): JsonNumber {
  const text = node.origin.numbers?.[keyword];
  return text === undefined ? node[keyword]! : jsonNumber(text);
}

/** For messages: the text of that number, if a double prints it in another way. */
export function writtenAs(node: SchemaNode, keyword: NumberKeyword): { readonly written?: string } {
  const number = exactNumber(node, keyword);
  return typeof number === 'number' ? {} : { written: number.text };
}

/** The doubles in a keyword's value that differ from the numbers in the file. */
export function roundedIn({ origin }: SchemaNode, keyword: string): Set<number> {
  const doubles = new Set<number>();
  for (const [at, text] of Object.entries(origin.numbers ?? {})) {
    const number = at.split('/', 1)[0] === keyword ? jsonNumber(text) : null;
    if (number instanceof Decimal) doubles.add(number.double);
  }
  return doubles;
}

/** The same for the values of `const` and `enum`. */
export function roundedValues(node: SchemaNode): ReadonlySet<number> {
  return new Set([...roundedIn(node, 'const'), ...roundedIn(node, 'enum')]);
}

export function hasNumberOf(value: unknown, numbers: ReadonlySet<number>): boolean {
  if (numbers.size === 0) return false;
  if (typeof value === 'number') return numbers.has(value);
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((inner) => hasNumberOf(inner, numbers))
  );
}

/** The value of the keyword of the node. Numbers that a double cannot hold are `Decimal`s. */
export function exactValue(node: SchemaNode, keyword: 'const' | 'enum' | 'default'): unknown {
  const texts = Object.entries(node.origin.numbers ?? {}).filter(([at]) => at.split('/', 1)[0] === keyword);
  if (texts.length === 0) return node[keyword];
  const root = { [keyword]: structuredClone(node[keyword]) };
  for (const [at, text] of texts) {
    const tokens = parsePointer(`/${at}`);
    const last = tokens.pop()!; // there is at least the keyword
    // The pointers of the texts exist in the value.
    const around = tokens.reduce((value, token) => value[token] as Record<string, unknown>, root);
    around[last] = jsonNumber(text);
  }
  return root[keyword];
}
