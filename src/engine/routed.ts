/**
 * Engines for payloads that may name their schema themselves, by a member "$schema". Such a payload is examined with
 * that schema, and all others as usual. No payload is accepted from its bytes alone, because the schema may be a member
 * that comes last.
 */

import { NoSchema, SchemaError, Unexamined, UsageError } from '../errors.ts';
import { locate } from '../json/locate.ts';
import { scanInto } from '../json/scan.ts';
import { firstInvalidUtf8 } from '../json/utf8.ts';
import type { Limits } from '../types.ts';
import { quote } from '../words/escape.ts';
import type { Schemas } from './accept.ts';
import { createEngines, type EngineHooks, type Engines } from './engines.ts';
import type { PayloadBytes } from './judge/examine.ts';

/** The other arguments of `createEngines`, after the schemas. */
type EngineArguments = [Limits, WebAssembly.Memory, EngineHooks?];

/**
 * The schema that a text in a payload of the file at `path` (absolute; null: standard input) names. Throws NoSchema,
 * and SchemaError for faulty schemas.
 */
export type NamedSchemas = (text: string, path: string | null) => Promise<NamedSchema>;

export interface NamedSchema {
  readonly schemas: Schemas;
  /** The kind of the payloads; null: the schema tells kinds apart. */
  readonly kind: string | null;
}

/** Longer texts name no file. */
const LONGEST = 4096;
const NO_NOTES = { duplicate() {}, outOfRange() {} };

/** Engines that use `schemas` for payloads without a "$schema", and `named` for the others. */
export function routedEngines(schemas: Schemas, named: NamedSchemas, ...others: EngineArguments): Engines {
  const [{ maxDepth = Number.POSITIVE_INFINITY, redact }] = others;
  const usual = createEngines(schemas, ...others);
  const made = new Map<Schemas, Engines>();
  const examine: Engines['examine'] = async (payload, givenKind, countsOnly) => {
    const text = schemaNamedIn(payload, maxDepth);
    if (text === null) return usual.examine(payload, givenKind, countsOnly);
    try {
      if (text.length > LONGEST) throw new NoSchema('is too long for the name of a schema');
      const { schemas: own, kind } = await named(text, payload.path ?? null);
      const engines = made.get(own) ?? createEngines(own, ...others);
      made.set(own, engines);
      const examined = await engines.examine(payload, null, countsOnly);
      return kind === null || examined.kind === null ? examined : { ...examined, kind };
    } catch (error) {
      throw unfollowed(error, redact ? '' : ` ${quote(text)}`, redact);
    }
  };
  return {
    acceptor: usual.acceptor,
    examine,
    notes: () => null,
    async close() {
      for (const engines of [usual, ...made.values()]) await engines.close();
    },
  };
}

/** `name`: the text in the payload, as messages show it. */
function unfollowed(error: unknown, name: string, redact: boolean): unknown {
  const why = error instanceof NoSchema ? ` ${error.message}` : null;
  const fault =
    error instanceof SchemaError || error instanceof UsageError
      ? `: ${error.message.replace(/\n */, ': ').replace(/\n */g, '; ')}`
      : null;
  if (why === null && fault === null) return error;
  const cause = new NoSchema(`its "$schema"${name}${why ?? (redact ? ' cannot be used' : fault)}`, {
    cause: error,
  });
  return new Unexamined('a payload could not be examined', { cause });
}

/** The text of the member "$schema" of a payload; null: it has none, or is malformed. */
function schemaNamedIn({ bytes, span }: PayloadBytes, maxDepth: number): string | null {
  const { start, end } = span;
  const text = bytes.subarray(start, end);
  if (!text.includes('$schema') && !text.includes('\\u')) return null;
  if (firstInvalidUtf8(bytes, start, end) >= 0 || scanInto(bytes, span, maxDepth, NO_NOTES) !== null) return null;
  const { value } = locate(bytes, start, end, ['/$schema']).get('/$schema') ?? {};
  if (value === undefined || bytes[value.start] !== 0x22) return null;
  return JSON.parse(bytes.toString('utf8', value.start, value.end)) as string; // it begins with a quote
}
