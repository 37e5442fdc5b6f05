/**
 * Holds a config file to its schema, by the check that payloads get.
 */
import type { RuleLevels } from '../check/levels.ts';
import { UsageError } from '../errors.ts';
import { Examiner } from '../examine/examine.ts';
import { LineTracker } from '../json/lines.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { bundledSchema } from '../package.ts';
import { compileKinds } from '../schema/compile.ts';
import { loadSchemas } from '../schema/load.ts';
import { visible } from '../words/escape.ts';

/** The content of the file, as its schema says; the members that are not named here are flags. */
export interface RawConfig {
  readonly $schema?: string;
  readonly schema?: string;
  readonly kinds?: readonly { readonly files: string; readonly kind: string }[];
  readonly ignore?: readonly string[];
  readonly format?: string | readonly string[];
  readonly rules?: RuleLevels;
  readonly baseline?: string;
}

/** The config. Throws UsageError with the place of each fault; `name` is what messages call the file. */
export async function parseConfig(bytes: Buffer, name: string): Promise<RawConfig> {
  const set = loadSchemas(bundledSchema('config.schema.json'));
  const examiner = new Examiner(await compileKinds(set), set.locations, { maxDepth: 100, redact: false });
  const start = byteOrderMark(bytes);
  const payload = { bytes, span: { start, end: bytes.length }, base: 0, ending: 'text' } as const;
  const { findings } = examiner.examine(payload, null);
  if (findings.length === 0) return JSON.parse(bytes.toString('utf8', start)) as RawConfig; // as the schema says
  const lines = new LineTracker(start);
  const faults = [...findings].map(({ span, pointer, message, suggestion }) => {
    const { line, column } = lines.places(bytes, 0, [span.start]).get(span.start)!;
    const near = suggestion === null ? '' : `; did you mean "${suggestion}"?`;
    const at = pointer === '' ? '' : `${visible(pointer)}: `;
    return `${visible(name)}:${line}:${column}: ${at}${message}${near}`;
  });
  throw new UsageError(`the config is not valid\n  ${faults.join('\n  ')}`);
}
