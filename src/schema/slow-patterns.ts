/**
 * Patterns that are left to RegExp, for which a text can take exponential time. While RegExp works, its thread hears nothing.
 */
import { compileMatcher } from '../automaton/compile.ts';
import { isSchemaObject, type SchemaSet } from './load.ts';

/** What RegExp may be needed for: a reference to a group, or a look ahead or behind. Anything else has an automaton. */
const SUSPECT = /\\[1-9k]|\(\?<?[=!]/;

/** True if there is no automaton for a pattern of the schemas. */
export function keepsRegExp(set: SchemaSet): boolean {
  for (const { pattern } of patternsOf(set)) {
    if (SUSPECT.test(pattern) && whyRegExp(pattern) !== null) return true;
  }
  return false;
}

/** A pattern, and where it is: `s.json#/properties/x/pattern`. */
export interface PlacedPattern {
  readonly pattern: string;
  readonly place: string;
}

/** All patterns of the schemas, those of `patternProperties` among them. */
export function* patternsOf({ locations }: SchemaSet): Generator<PlacedPattern> {
  for (const [schema, place] of locations) {
    if (!isSchemaObject(schema)) continue;
    const { pattern, patternProperties } = schema;
    if (typeof pattern === 'string') yield { pattern, place: `${place}/pattern` };
    if (!isSchemaObject(patternProperties)) continue;
    for (const name of Object.keys(patternProperties))
      yield { pattern: name, place: `${place}/patternProperties` };
  }
}

/** Why a pattern has no automaton, as a clause such as "it looks behind"; null if it has one, or is no regular expression. */
export function whyRegExp(pattern: string): string | null {
  for (const isUnicode of [true, false]) {
    try {
      return compileMatcher(pattern, isUnicode).reason;
    } catch {
      // It may be an expression without the flag.
    }
  }
  return null;
}
