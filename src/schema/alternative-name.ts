/** How people tell an alternative of `oneOf` or `anyOf` from the others: by its title, and by a member that is its tag. */
import { isJsonObject } from '../json/value.ts';
import { partsOf, scalarsOf } from './facts.ts';
import { isNode, type Schema } from './node.ts';

export interface AlternativeName {
  /** Its own, or that of the schema it refers to; absent: it has none. */
  readonly title?: string;
  /** A member for which the alternative allows one text only, and that text; absent: there is none. */
  readonly tag?: { readonly name: string; readonly value: string };
}

/** `value`: one that has the member with that text; absent: any. Title and tag may be behind references. */
export function alternativeName(alternative: Schema, value?: unknown): AlternativeName {
  const title = titleOf(alternative);
  const isTag = (name: string, text: string): boolean =>
    value === undefined || (isJsonObject(value) && Object.hasOwn(value, name) && value[name] === text);
  const members = [...partsOf(alternative)].flatMap(({ properties = {} }) => Object.entries(properties));
  for (const [name, member] of members) {
    const [only, ...others] = scalarsOf(member) ?? [];
    if (typeof only === 'string' && others.length === 0 && isTag(name, only))
      return { ...title, tag: { name, value: only } };
  }
  return title;
}

function titleOf(schema: Schema): Pick<AlternativeName, 'title'> {
  const seen = new Set<Schema>();
  let one: Schema | undefined = schema;
  for (; isNode(one) && !seen.has(one); one = one.$ref?.[0]) {
    if (one.title !== undefined) return { title: one.title };
    seen.add(one);
  }
  return {};
}
