/** Validates a config file against its schema, in the same way as payloads. */
import { Examiner } from '../engine/judge/examine.ts';
import { judgedKinds } from '../engine/judge/judged-kinds.ts';
import { UsageError } from '../errors.ts';
import { LineTracker } from '../json/lines.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { bundledSchema } from '../package.ts';
import { loadSchemas } from '../schema/load.ts';
import { visible } from '../words/escape.ts';
import { jsonFault } from '../words/json-fault.ts';

/** The value of a JSON file. `name`: of the file, for messages. Throws UsageError with the place of the fault. */
export function jsonIn(bytes: Buffer, name: string): unknown {
  const fault = jsonFault(bytes);
  if (fault !== null) throw new UsageError(`${name}:${fault.line}:${fault.column}: ${fault.sentence}`);
  return JSON.parse(bytes.toString('utf8', byteOrderMark(bytes)));
}

/** Throws UsageError with the place of each fault; `name` is what messages call the file. */
export async function parseConfig(bytes: Buffer, name: string): Promise<unknown> {
  const value = jsonIn(bytes, `the config ${visible(name)}`);
  const set = loadSchemas(bundledSchema('config.schema.json'));
  const start = byteOrderMark(bytes);
  const examiner = new Examiner(await judgedKinds(set), { maxDepth: 100, redact: false });
  const payload = { bytes, span: { start, end: bytes.length }, base: 0, ending: 'text' } as const;
  const { findings } = examiner.examine(payload, null);
  if (findings.length === 0) return value;
  const lines = new LineTracker(start);
  const faults = [...findings].map(({ span, pointer, message, suggestion }) => {
    const { line, column } = lines.places(bytes, 0, [span.start]).get(span.start)!;
    const near = suggestion === null ? '' : `; did you mean "${suggestion}"?`;
    const at = pointer === '' ? '' : `${visible(pointer)}: `;
    return `${visible(name)}:${line}:${column}: ${at}${message}${near}`;
  });
  throw new UsageError(`the config is not valid\n  ${faults.join('\n  ')}`);
}
