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
import { type JsonFault, jsonFault } from '../words/json-fault.ts';

export interface AuthoredFile {
  /** Absolute. */
  readonly path: string;
  /** For messages, not escaped. */
  readonly name: string;
}

/** The value of a JSON file. `what`: before its name in messages. Throws UsageError with the place of the fault. */
export function jsonIn(bytes: Buffer, { path, name }: AuthoredFile, what = ''): unknown {
  const fault = jsonFault(bytes);
  if (fault !== null) throw new UsageError(`${what}${visible(name)}:${textOf(fault)}`, { at: { path, ...fault } });
  return JSON.parse(bytes.toString('utf8', byteOrderMark(bytes)));
}

interface AuthoredPart {
  readonly span: Span;
  readonly pointer: string;
}

/**
 * What is wrong with a JSON text by the schema of its form; the sentences are `/kinds/0: …`, escaped. `part`: absent: the
 * whole file.
 */
export async function faultsIn(
  bytes: Buffer,
  form: 'checks' | 'config' | 'tests',
  part: AuthoredPart = { span: { start: byteOrderMark(bytes), end: bytes.length }, pointer: '' },
): Promise<readonly JsonFault[]> {
  const payload = { bytes, span: part.span, base: 0, ending: 'text' } as const;
  const list = await findingsIn(loadSchemas(bundledSchema(`${form}.schema.json`)), payload);
  const starts = list.map(({ span }) => span.start).sort((a, b) => a - b);
  const places = new LineTracker(byteOrderMark(bytes)).places(bytes, 0, starts);
  return list.map(({ span, pointer, message, suggestion, authorMessage }) => {
    const { line, column } = places.get(span.start);
    const near = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
    const at = part.pointer + pointer;
    return { line, column, sentence: `${at === '' ? '' : `${visible(at)}: `}${authorMessage ?? message}${near}` };
  });
}

/** `3:14: /kinds/0: …` */
export function textOf({ line, column, sentence }: JsonFault): string {
  return `${line}:${column}: ${sentence}`;
}

/** Throws UsageError for `faults` of the file, if there are any. `what`: `the config is`. */
export function refuseFaults(faults: readonly JsonFault[], what: string, { path, name }: AuthoredFile): void {
  const [first] = faults;
  if (first === undefined) return;
  const lines = faults.map((fault) => `${visible(name)}:${textOf(fault)}`);
  throw new UsageError(`${what} not valid\n  ${lines.join('\n  ')}`, { at: { path, ...first } });
}
