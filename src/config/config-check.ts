/**
 * Validates a config file against its schema, in the same way as payloads.
 */

import { Examiner } from '../engine/judge/examine.ts';
import { judgedKinds } from '../engine/judge/judged-kinds.ts';
import { UsageError } from '../errors.ts';
import { LineTracker } from '../json/lines.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { bundledSchema } from '../package.ts';
import type { RuleLevel } from '../run/check/flow.ts';
import type { RawFormat } from '../schema/formats/format.ts';
import { loadSchemas } from '../schema/load.ts';
import type { VocabularyName } from '../types.ts';
import { visible } from '../words/escape.ts';
import { jsonFault } from '../words/json-fault.ts';

/** The content of the file, as its schema says; the members that are not named here are flags. */
export interface RawConfig {
  readonly $schema?: string;
  readonly schema?: string;
  readonly files?: string | readonly string[];
  readonly refs?: readonly string[];
  readonly schemas?: readonly { readonly files: string; readonly schema: string }[];
  readonly kinds?: readonly { readonly files: string; readonly kind: string }[];
  readonly vocabularies?: readonly VocabularyName[];
  readonly formats?: Readonly<Record<string, RawFormat>>;
  readonly checks?: string | readonly unknown[];
  readonly ignore?: readonly string[];
  readonly format?: string | readonly string[];
  /** `warn` means `warning`. */
  readonly rules?: Readonly<Record<string, RuleLevel | 'warn'>>;
  readonly baseline?: string;
}

/** The config. Throws UsageError with the place of each fault; `name` is what messages call the file. */
export async function parseConfig(bytes: Buffer, name: string): Promise<RawConfig> {
  const fault = jsonFault(bytes);
  if (fault !== null) {
    const { line, column, sentence } = fault;
    throw new UsageError(`the config ${visible(name)}:${line}:${column}: ${sentence}`);
  }
  const set = loadSchemas(bundledSchema('config.schema.json'));
  const start = byteOrderMark(bytes);
  const value: unknown = JSON.parse(bytes.toString('utf8', start));
  const examiner = new Examiner(await judgedKinds(set), { maxDepth: 100, redact: false });
  const payload = { bytes, span: { start, end: bytes.length }, base: 0, ending: 'text' } as const;
  const { findings } = examiner.examine(payload, null);
  if (findings.length === 0) return value as RawConfig; // the schema guarantees it
  const lines = new LineTracker(start);
  const faults = [...findings].map(({ span, pointer, message, suggestion }) => {
    const { line, column } = lines.places(bytes, 0, [span.start]).get(span.start)!;
    const near = suggestion === null ? '' : `; did you mean "${suggestion}"?`;
    const at = pointer === '' ? '' : `${visible(pointer)}: `;
    return `${visible(name)}:${line}:${column}: ${at}${message}${near}`;
  });
  throw new UsageError(`the config is not valid\n  ${faults.join('\n  ')}`);
}
