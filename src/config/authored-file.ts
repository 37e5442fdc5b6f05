/**
 * Files that people write: a config, checks, tests. Each is one strict JSON text that fits its schema in the package, so
 * a member that is misspelt or given twice is refused, with its place and the near miss. `$comment` and members that
 * begin with `x-` are for the author.
 */
import { findingsIn } from '../engine/examiner.ts';
import { UsageError } from '../errors.ts';
import { LineTracker } from '../json/lines.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { bundledSchema } from '../package.ts';
import { loadSchemas } from '../schema/load.ts';
import type { Span } from '../types.ts';
import { visible } from '../words/escape.ts';
import { jsonFault } from '../words/json-fault.ts';

/** The value of a JSON file. `name`: of the file, for messages. Throws UsageError with the place of the fault. */
export function jsonIn(bytes: Buffer, name: string): unknown {
  const fault = jsonFault(bytes);
  if (fault !== null) throw new UsageError(`${name}:${fault.line}:${fault.column}: ${fault.sentence}`);
  return JSON.parse(bytes.toString('utf8', byteOrderMark(bytes)));
}

interface AuthoredPart {
  readonly span: Span;
  readonly pointer: string;
}

/**
 * What is wrong with a JSON text by the schema of its form: `3:14: /kinds/0: …` for each fault, escaped. `part`: absent:
 * the whole file.
 */
export async function faultsIn(
  bytes: Buffer,
  form: 'checks' | 'config' | 'tests',
  part: AuthoredPart = { span: { start: byteOrderMark(bytes), end: bytes.length }, pointer: '' },
): Promise<readonly string[]> {
  const payload = { bytes, span: part.span, base: 0, ending: 'text' } as const;
  const list = await findingsIn(loadSchemas(bundledSchema(`${form}.schema.json`)), payload);
  const starts = list.map(({ span }) => span.start).sort((a, b) => a - b);
  const places = new LineTracker(byteOrderMark(bytes)).places(bytes, 0, starts);
  return list.map(({ span, pointer, message, suggestion, authorMessage }) => {
    const { line, column } = places.get(span.start)!;
    const near = suggestion === null ? '' : `; did you mean "${suggestion}"?`;
    const at = part.pointer + pointer;
    return `${line}:${column}: ${at === '' ? '' : `${visible(at)}: `}${authorMessage ?? message}${near}`;
  });
}

/** Throws UsageError for `faults` of the file `name`, if there are any. `what`: `the config is`. */
export function refuseFaults(faults: readonly string[], what: string, name: string): void {
  if (faults.length === 0) return;
  const lines = faults.map((fault) => `${visible(name)}:${fault}`);
  throw new UsageError(`${what} not valid\n  ${lines.join('\n  ')}`);
}
