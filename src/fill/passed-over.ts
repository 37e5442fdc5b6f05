/**
 * Notes on what `fill` never fills in, so that the missing values are explained: defaults that a kind leads to, with the
 * reason, and members that are asked for and that no schema has.
 */
import { parsePointer } from '../json/pointer.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import { isNode, type SchemaNode } from '../schema/node.ts';
import { quote, visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import { defaultsIn, saidOf } from './defaults.ts';
import { filledIn } from './filler.ts';
import { memberNames } from './insertion.ts';
import type { Wish } from './wanted-defaults.ts';

/** A sentence with its place for each of them, in file order. */
export function passedOver(set: LoadedSchemas): string[] {
  const reached = new Set(set.nodes.map(({ origin }) => origin.place));
  const defaults = defaultsIn(set);
  const led = new Set(set.kinds.map(({ schema }) => schema).filter(isNode));
  for (const node of led) for (const next of filledIn(node)) led.add(next);
  const filled = memberNames([...led]);
  const passed = [...defaults.keys()].filter((place) => reached.has(place) && !filled.has(place));
  const files = set.documents.map(({ name }) => name);
  const sentenceFor = (place: string): string => {
    const file = files.find((name) => place.startsWith(`${name}#`))!; // the default was found in it
    return `this default is never filled in: ${reasonFor(place.slice(file.length + 1))}`;
  };
  return saidOf(set, new Map(passed.map((place) => [place, sentenceFor(place)])));
}

/** Inside of these, nothing is filled in. */
const ALTERNATIVES = ['anyOf', 'oneOf', 'not', 'if', 'contains', 'propertyNames'];

/** Keywords whose value has schemas by name. */
const BY_NAME = new Set(
  'properties patternProperties $defs definitions dependentSchemas dependencies'.split(' '),
);

/** Why a default directly below one of these keywords has no effect. */
const REASONS = new Map(
  Object.entries({
    properties: 'only alternatives and conditions lead to it',
    patternProperties: 'the member has no fixed name',
    additionalProperties: 'the member has no fixed name',
    unevaluatedProperties: 'the member has no fixed name',
    items: 'elements are not added',
    prefixItems: 'elements are not added',
    additionalItems: 'elements are not added',
    unevaluatedItems: 'elements are not added',
    $defs: 'it is behind a "$ref"; write it beside the "$ref"',
    definitions: 'it is behind a "$ref"; write it beside the "$ref"',
  }),
);

function reasonFor(pointer: string): string {
  const keywords = keywordsIn(parsePointer(pointer));
  const around = keywords.findLast((keyword) => ALTERNATIVES.includes(keyword));
  if (around !== undefined) return `it is inside "${around}"`;
  const last = keywords.at(-1);
  if (last === undefined) return 'it is that of the root, and only members are filled in';
  return REASONS.get(last) ?? `it is inside "${last}"; write it in the member's own schema`;
}

/** The keywords of a pointer, without the names and indexes below them. */
function keywordsIn(tokens: readonly string[]): string[] {
  const keywords: string[] = [];
  for (let i = 0; i < tokens.length; i++) {
    keywords.push(tokens[i]!);
    if (BY_NAME.has(tokens[i]!) || /^\d+$/.test(tokens[i + 1] ?? '')) i++;
  }
  return keywords;
}

/** Notes on wishes with names that no schema has: misspelt, or those of `additionalProperties`. */
export function unknownNames(wishes: readonly Wish[], nodes: readonly SchemaNode[]): string[] {
  const names = [...new Set(memberNames(nodes).values())];
  return wishes.flatMap(({ flag, text, tokens }) => {
    const name = tokens.find((token) => token !== '*' && !names.includes(token));
    if (name === undefined) return [];
    const near = nearMiss(name, names);
    const hint = near === null ? '' : `; did you mean ${quote(near)}?`;
    return [`${flag} ${visible(text)}: no schema has a member ${quote(name)}${hint}`];
  });
}
