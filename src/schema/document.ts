/**
 * Schema files as JSON, with the text of numbers that a double cannot hold. Nothing here depends on the meaning of
 * keywords.
 */
import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { SchemaError } from '../errors.ts';
import { readFileOrPipe } from '../input/read-file.ts';
import { wordsFor } from '../input/system-errors.ts';
import { withNumberTexts } from '../json/decimal.ts';
import { scan } from '../json/scan.ts';
import { memberCount, surelyUnique } from '../json/unique-names.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { bundledSchema } from '../package.ts';
import { jsonFault } from '../words/json-fault.ts';
import { INLINED } from './inlined.ts';

/** The largest schema file that is read, in bytes. */
const MAX_BYTES = 16 << 20;

/** A schema object of a file. Its values are any JSON. */
export type RawObject = JsonObject;
export type RawSchema = boolean | RawObject;

export interface SchemaDocument {
  /** Absolute path of the file. */
  readonly path: string;
  /** How reports name it: relative to the folder of the schema that was asked for. */
  readonly name: string;
  readonly schema: RawSchema;
  /** The file's text, without a byte order mark. */
  readonly bytes: Buffer;
  /** False: an object may have the same name twice. */
  readonly hasUniqueNames: boolean;
  /**
   * The same value with the text of each number of which a double may have lost digits; null: there is no such number.
   */
  readonly numbers: unknown;
}

/**
 * Reads the schema file at `path` (absolute), which messages call `name`. `content`: the bytes, if the file was read
 * before. Throws SchemaError.
 */
export function readDocument(path: string, name: string, content?: Uint8Array): SchemaDocument {
  let bytes: Buffer;
  try {
    bytes = content === undefined ? (inlined(path) ?? readFileOrPipe(path, MAX_BYTES)) : bufferOf(content);
  } catch (cause) {
    throw new SchemaError(`cannot read the schema ${name}: ${wordsFor(cause)}`, { cause });
  }
  const text = bytes.subarray(byteOrderMark(bytes));
  const { schema, numbers, hasUniqueNames } = parse(bytes, name);
  if (typeof schema !== 'boolean' && !isJsonObject(schema))
    throw new SchemaError(`the schema ${name} is not a JSON Schema: it must be an object, true or false`);
  return { path, name, schema, bytes: text, hasUniqueNames, numbers };
}

/** Whether there is a file at `path` (absolute), or a bundled schema that the program contains. */
export function isThere(path: string): boolean {
  return inlined(path) !== null || existsSync(path);
}

/** A Buffer arrives from another thread as a plain Uint8Array. */
function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** The text of a bundled schema, if the program contains it. */
function inlined(path: string): Buffer | null {
  const name = basename(path);
  const text = path === bundledSchema(name) ? INLINED.get(name) : undefined;
  return text === undefined ? null : Buffer.from(text);
}

interface Parsed extends Pick<SchemaDocument, 'numbers' | 'hasUniqueNames'> {
  readonly schema: unknown;
}

/** The bytes are scanned for a fault only if they are not JSON in UTF-8, because scanning takes longer. */
function parse(bytes: Buffer, name: string): Parsed {
  let error: unknown;
  try {
    if (isUtf8(bytes)) {
      const text = bytes.toString('utf8', byteOrderMark(bytes));
      const schema: unknown = JSON.parse(text);
      if (MAYBE_INFINITE.test(text) && INFINITE_TOKEN.test(text)) refuseInfinity(bytes, name);
      const hasUniqueNames = surelyUnique(text, memberCount(schema));
      return { schema, numbers: withNumberTexts(text), hasUniqueNames };
    }
  } catch (cause) {
    error = cause;
  }
  if (error instanceof SchemaError) throw error;
  const fault = jsonFault(bytes);
  if (fault === null) throw error;
  const { line, column, sentence } = fault;
  throw new SchemaError(`the schema ${name}:${line}:${column}: ${sentence}`);
}

const MAYBE_INFINITE = /\d[eE]\+?0*\d{3}|\d{309}/;
/** The same where a token can begin: strings such as hashes have such digits, too. */
const INFINITE_TOKEN = /(?:^|[[,:\s])[\d.-]*\d(?:[eE]\+?0*\d{3}|\d{308})/;

/** JavaScript reads a number beyond the range of a double as Infinity, which no keyword can compare with. */
function refuseInfinity(bytes: Buffer, name: string): void {
  const { notes } = scan(bytes, byteOrderMark(bytes), bytes.length, Number.POSITIVE_INFINITY);
  const note = notes.find(({ rule }) => rule === 'number-out-of-range');
  if (note !== undefined)
    throw new SchemaError(`${name}#${note.pointer}: this number is beyond the range of a double`);
}
