/**
 * Checks the schemas of a user at the start. Where it is certain that they are right, Ajv is not loaded: it is needed
 * only for payloads that must be examined, and most runs have none.
 */
import { Acceptor } from '../accept/acceptor.ts';
import type { AcceptCode } from '../accept/code.ts';
import { readAccept } from '../accept/code-file.ts';
import { reserveMemory } from '../input/environment.ts';
import { surelyUnique } from '../json/unique-names.ts';
import { metaSchemaFile } from '../package.ts';
import { surelyCompiles } from '../schema/certain.ts';
import { refuseEndless } from '../schema/endless.ts';
import { surelyFits } from '../schema/fitting.ts';
import type { SchemaSet } from '../schema/load.ts';
import { PADDING, WINDOW } from '../wasm/layout.ts';

const PAGE_BYTES = 1 << 16;
const SPACE = 0x20;

/** True if all kinds of the set surely compile. Then no name is twice in an object either. */
export function areCertain(set: SchemaSet): boolean {
  return surelyCompiles(set) && (arePlain(set) || fitMetaSchema(set, metaSchemaFile(set.dialect)));
}

/** True if it takes no compiled code to tell that all files of the set match their meta-schema and have no name twice in an object. */
export function arePlain({ documents, dialect }: SchemaSet): boolean {
  return documents.every(
    ({ schema, bytes, memberCount }) =>
      surelyUnique(bytes.toString(), memberCount) && surelyFits(schema, dialect),
  );
}

/** Throws SchemaError if a kind of the set does not compile. `certain`: see `areCertain`. */
export async function checkSchemas(set: SchemaSet, certain: boolean): Promise<void> {
  if (certain) {
    refuseEndless(set);
    return;
  }
  const { mustCompile } = await import('../schema/compile.ts');
  await mustCompile(set);
}

const READ = new Map<string, AcceptCode | null>();

/** The code in a file of `metaSchemaFile`, which is read once; null if there is none. */
export function readMetaSchema(file: string): AcceptCode | null {
  const code = READ.get(file) ?? readAccept(file);
  READ.set(file, code);
  return code;
}

/** True if all files of the set surely match the meta-schema that `file` was made from. */
export function fitMetaSchema({ documents }: SchemaSet, file: string): boolean {
  const code = readMetaSchema(file);
  if (code === null) return false;
  const most = Math.max(...documents.map(({ bytes }) => bytes.length));
  const memory = reserveMemory(Math.ceil((WINDOW + most + PADDING) / PAGE_BYTES));
  const acceptor = new Acceptor(code, memory, { maxDepth: Number.POSITIVE_INFINITY, maxBytes: most });
  const content = Buffer.from(memory.buffer, WINDOW);
  return documents.every(({ bytes }) => {
    content.set(bytes);
    content.fill(0, bytes.length, bytes.length + PADDING);
    replaceEscapes(content, bytes.length);
    const [start, end] = withoutSpace(bytes);
    return acceptor.verdict({ bytes: content }, start, end) === 'valid';
  });
}

/** The range of a JSON text in `bytes`. */
function withoutSpace(bytes: Buffer): [start: number, end: number] {
  let [start, end] = [0, bytes.length];
  while (bytes[start]! <= SPACE) start++;
  while (bytes[end - 1]! <= SPACE) end--;
  return [start, end];
}

/** What can follow a backslash and stands for a character that is written in no other way, except as `\u…`. */
const ESCAPED = new Set(Buffer.from('"\\bfnrt'));
const BACKSLASH = 0x5c;
const PERCENT = 0x25;

/**
 * Writes `%%` in place of escapes such as `\\` in a JSON text: accept is unsure about names with escapes, which many
 * patterns are. No keyword and no value that a meta-schema names has either, and equal strings stay equal.
 */
function replaceEscapes(text: Buffer, length: number): void {
  for (let at = text.indexOf(BACKSLASH); at >= 0 && at < length; at = text.indexOf(BACKSLASH, at + 2)) {
    if (!ESCAPED.has(text[at + 1]!)) continue;
    text[at] = PERCENT;
    text[at + 1] = PERCENT;
  }
}
