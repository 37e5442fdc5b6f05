/**
 * Files of tests: `{ "target": schema, "tests": [{ "description", "valid" or "violations", "data" or "dataPath" }] }`, the
 * form of sourcemeta's `test`, with the violations that are expected. They are read as strictly as a config.
 */
import { dirname, resolve } from 'node:path';
import { faultsIn, textOf } from '../config/authored-file.ts';
import { SourceError } from '../errors.ts';
import { locate } from '../json/locate.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { isJsonObject } from '../json/value.ts';
import type { FileTest } from '../run/check/expected.ts';
import { joined, reread } from '../source/open-bytes.ts';
import { wordsFor } from '../source/system-errors.ts';
import type { Span } from '../types.ts';
import { visible } from '../words/escape.ts';
import { jsonFault } from '../words/json-fault.ts';
import type { ExpectedViolation } from '../words/test-rules.ts';

export interface SourceText {
  readonly path: string;
  readonly bytes: Buffer;
  readonly end: number;
  readonly maxBytes: number;
}

/** A file of tests as its schema describes it. */
interface RawTests {
  readonly target: string;
  readonly tests: readonly RawTest[];
}

interface RawTest {
  readonly description?: string;
  readonly valid?: boolean;
  readonly violations?: readonly ExpectedViolation[];
  readonly dataPath?: string;
}

/**
 * The tests, and the target as the file names it: relative to its folder, or a URI. `interrupt` ends the reading of a
 * payload in a file of its own. Throws SourceError.
 */
export async function readTestFile(
  text: SourceText,
  interrupt: AbortSignal,
): Promise<{ readonly target: string; readonly tests: readonly FileTest[] }> {
  const { target, tests } = await parsed(text.bytes.subarray(0, text.end));
  const pointers = tests.map(({ dataPath }, i) => ({
    pointer: `/tests/${i}/${dataPath === undefined ? 'data' : 'dataPath'}`,
  }));
  const places = located(pointers, text.bytes, text.end);
  const all = tests.map(({ description = null, valid, violations, dataPath }, index): FileTest => {
    const expected = violations ?? (valid ? 'valid' : 'invalid');
    const data = dataPath === undefined ? null : () => readData(dataPath, text, interrupt);
    return { ...places[index]!, description, expected, data, index }; // one for each test
  });
  return { target, tests: all };
}

/** Throws SourceError. */
async function parsed(bytes: Buffer): Promise<RawTests> {
  const fault = jsonFault(bytes);
  if (fault !== null) throw new SourceError(`${NO_TESTS}: ${textOf(fault)}`);
  const start = byteOrderMark(bytes);
  const value: unknown = JSON.parse(bytes.toString('utf8', start));
  if (!isJsonObject(value))
    throw new SourceError(`${NO_TESTS}: expected {"target": SCHEMA, "tests": [{"valid": true, "data": PAYLOAD}, …]}`);
  const faults = await faultsIn(withoutPayloads(bytes, value.tests), 'tests');
  const [first, second, ...others] = faults.map(textOf);
  if (first === undefined) return value as unknown as RawTests; // its schema guarantees it
  const more = others.length === 0 ? '' : `; and ${others.length} more`;
  throw new SourceError(`${NO_TESTS}: ${second === undefined ? first : `${first}; ${second}`}${more}`);
}

const NO_TESTS = 'it is no file of tests';

/** The bytes with 0 in place of each payload: what is wrong with payloads is what tests are about. */
function withoutPayloads(bytes: Buffer, tests: unknown): Buffer {
  const list = Array.isArray(tests) ? tests : [];
  const pointers = list.flatMap((test, i) =>
    isJsonObject(test) && Object.hasOwn(test, 'data') ? `/tests/${i}/data` : [],
  );
  const copy = Buffer.from(bytes);
  for (const { value } of locate(bytes, byteOrderMark(bytes), bytes.length, pointers).values())
    copy.fill(' ', value.start, value.end).write('0', value.start);
  return copy;
}

/** With the span of each value, which the bytes up to `end` have. */
export function located<Item extends { readonly pointer: string }>(
  items: readonly Item[],
  bytes: Buffer,
  end: number,
): readonly (Item & { readonly span: Span })[] {
  const pointers = items.map(({ pointer }) => pointer);
  const places = locate(bytes, byteOrderMark(bytes), end, pointers);
  return items.map((item) => ({ ...item, span: places.get(item.pointer)!.value }));
}

/** The payload in a file, decompressed. Throws SourceError and Interrupted. */
async function readData(name: string, { path, maxBytes }: SourceText, interrupt: AbortSignal): Promise<Buffer> {
  const source = { name, path: resolve(dirname(path), name), regular: false, framing: null, kind: null };
  try {
    return await joined(reread(source, interrupt), maxBytes);
  } catch (cause) {
    if (!(cause instanceof SourceError)) throw cause;
    throw new SourceError(`cannot read ${visible(name)}: ${wordsFor(cause)}`, { cause });
  }
}
