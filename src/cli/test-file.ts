/**
 * A file of tests: `{ "target": schema, "tests": [{ "description", "valid" or "violations", "data" or "dataPath" }] }`, the
 * form of sourcemeta's `test`, with the violations that are expected. What is wrong with the file is reported with its place.
 */
import { dirname, resolve } from 'node:path';
import { SourceError } from '../errors.ts';
import { locate } from '../json/locate.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { isJsonObject } from '../json/value.ts';
import type { Expectation, FileTest } from '../run/check/expected.ts';
import { readFileOrPipe } from '../source/read-file.ts';
import { wordsFor } from '../source/system-errors.ts';
import type { Span } from '../types.ts';
import { visible } from '../words/escape.ts';
import type { TestedViolation } from '../words/test-rules.ts';

/** The text of a file, and where it is. */
export interface TestFileText {
  /** Absolute. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly end: number;
  /** Larger payloads are refused. */
  readonly maxBytes: number;
}

export interface TestFile {
  /** As the file names it: relative to its folder, or a URI. */
  readonly target: string;
  readonly tests: readonly FileTest[];
}

/** Throws SourceError. */
export function readTestFile(text: TestFileText): TestFile {
  const value = parsed(text);
  if (!isJsonObject(value)) throw wrong('', 'an object');
  const { target, tests } = value;
  if (typeof target !== 'string' || target === '') throw wrong('/target', 'the path of a schema');
  if (!Array.isArray(tests)) throw wrong('/tests', 'an array');
  const read = tests.map(rawTest);
  const spans = spansOf(text, read);
  return { target, tests: read.map((one, index) => testOf(one, index, spans[index]!, text)) };
}

function parsed({ bytes, end }: TestFileText): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', byteOrderMark(bytes), end));
  } catch (cause) {
    throw new SourceError(`it is no file of tests: ${visible(wordsFor(cause))}`, { cause });
  }
}

interface RawTest {
  readonly description: string | null;
  readonly expected: Expectation;
  /** Null: the payload is in the file. */
  readonly dataPath: string | null;
  /** Of the payload, or of what names its file. */
  readonly pointer: string;
}

function rawTest(test: unknown, index: number): RawTest {
  const at = `/tests/${index}`;
  if (!isJsonObject(test)) throw wrong(at, 'an object');
  const { description = null, valid, violations, dataPath } = test;
  if (description !== null && typeof description !== 'string') throw wrong(`${at}/description`, 'a string');
  if ((valid === undefined) === (violations === undefined)) throw wrong(at, 'either "valid" or "violations"');
  if (valid !== undefined && typeof valid !== 'boolean') throw wrong(`${at}/valid`, 'true or false');
  if ((dataPath === undefined) === !Object.hasOwn(test, 'data')) throw wrong(at, 'either "data" or "dataPath"');
  if (dataPath !== undefined && typeof dataPath !== 'string') throw wrong(`${at}/dataPath`, 'a path');
  const expected = valid === undefined ? violationsIn(violations, at) : valid ? 'valid' : 'invalid';
  const pointer = `${at}/${dataPath === undefined ? 'data' : 'dataPath'}`;
  return { description, expected, dataPath: dataPath ?? null, pointer };
}

function violationsIn(value: unknown, at: string): readonly TestedViolation[] {
  if (!Array.isArray(value)) throw wrong(`${at}/violations`, 'an array');
  return value.map((one: unknown, i) => {
    const { rule, pointer } = isJsonObject(one) ? one : {};
    if (typeof rule === 'string' && typeof pointer === 'string') return { rule, pointer };
    throw wrong(`${at}/violations/${i}`, 'an object with a "rule" and a "pointer"');
  });
}

/** Where the payloads are, or what names their files. */
function spansOf({ bytes, end }: TestFileText, tests: readonly RawTest[]): readonly Span[] {
  const pointers = tests.map(({ pointer }) => pointer);
  const located = locate(bytes, byteOrderMark(bytes), end, pointers);
  return pointers.map((pointer) => located.get(pointer)!.value); // the value has them
}

function testOf(raw: RawTest, index: number, span: Span, { path, maxBytes }: TestFileText): FileTest {
  const { description, expected, pointer, dataPath } = raw;
  const test = { description, expected, pointer, span, index };
  if (dataPath === null) return { ...test, data: null };
  try {
    return { ...test, data: readFileOrPipe(resolve(dirname(path), dataPath), maxBytes) };
  } catch (cause) {
    throw new SourceError(`${pointer}: cannot read ${visible(dataPath)}: ${wordsFor(cause)}`, { cause });
  }
}

function wrong(pointer: string, expected: string): SourceError {
  return new SourceError(`it is no file of tests: ${pointer === '' ? 'its value' : pointer}: expected ${expected}`);
}
