/**
 * Compares the engines over a corpus of real schemas with test files: accept and notes against examine.
 */
import { Acceptor, type EngineVerdict } from '../../src/engine/compile/acceptor.ts';
import { compileAccept } from '../../src/engine/compile/module.ts';
import { type Examined, Examiner } from '../../src/engine/judge/examine.ts';
import { NoteTaker } from '../../src/engine/judge/noted.ts';
import { ALLOWS_ALL } from '../../src/engine/judge/sites.ts';
import { SchemaError } from '../../src/errors.ts';
import { Unsupported } from '../../src/keywords/keyword-code.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import type { ResourceOptions } from '../../src/schema/resources.ts';
import type { SchemaSet } from '../../src/schema/set.ts';
import { Window } from '../../src/source/window.ts';
import { encode } from '../../src/wasm/encode.ts';
import { PADDING, WINDOW } from '../../src/wasm/layout.ts';
import { judgedKinds } from '../judged-kinds.ts';

/** What was found for one schema. */
export interface Compared {
  /** The parts that accept does not support, with the reason: none if the schema is accepted in full. */
  readonly unsure: ReadonlyMap<string, string>;
  /** Texts by what accept says of them; `noted`: texts whose violations are noted. */
  readonly counts: Record<EngineVerdict | 'noted', number>;
  /** Texts on which the engines differ. */
  readonly wrong: readonly string[];
  /** Texts that examine judges otherwise than the corpus does. */
  readonly unexpected: readonly string[];
}

/** A test file of a corpus. */
export interface Text {
  readonly bytes: Buffer;
  /** What the corpus says; null: nothing. */
  readonly isValid: boolean | null;
}

const LIMITS = { maxDepth: 1000, maxBytes: 1 << 30, redact: false };

/** Compares the engines for the schema at `path`, over `texts` by name. The message if paylint refuses the schema. */
export async function compareSchema(
  path: string,
  texts: ReadonlyMap<string, Text>,
  options: ResourceOptions,
): Promise<Compared | string> {
  try {
    const set = loadSchemas(path, options);
    const { module, ...code } = compileAccept(set, { givenKind: null, defaults: null });
    const window = new Window();
    const compiled = new WebAssembly.Module(encode(module));
    const acceptor = new Acceptor({ ...code, module: compiled }, window.memory, LIMITS);
    const counts = { valid: 0, invalid: 0, unsure: 0, noted: 0 };
    const wrong: string[] = [];
    const unexpected: string[] = [];
    if (texts.size > 0) {
      const examiner = new Examiner(await judgedKinds(set), LIMITS);
      const taker = takerFor(set, window);
      for (const [name, { bytes, isValid: expected }] of texts) {
        const span = place(window, bytes);
        const verdict = acceptor.read(window, span);
        counts[verdict]++;
        const examined = examiner.examine({ bytes: window.bytes, span, base: 0, ending: 'text' }, null);
        const isValid = examined.findings.length === 0;
        if (expected !== null && expected !== isValid) unexpected.push(name);
        if (verdict !== 'unsure' && (verdict === 'valid') !== isValid) wrong.push(name);
        const noted = taker?.take({ bytes: window.bytes, span, countsOnly: false, isUtf8: false }) ?? null;
        if (noted === null) continue;
        counts.noted++;
        if (factsOf(noted) !== factsOf(examined)) wrong.push(`${name}: violations`);
      }
    }
    return { unsure: new Map([...code.reasons, ...code.unsure]), counts, wrong, unexpected };
  } catch (error) {
    if (error instanceof SchemaError) return error.message;
    throw error;
  }
}

function takerFor(set: SchemaSet, window: Window): NoteTaker | null {
  try {
    const { module, ...code } = compileAccept(set, { givenKind: null, defaults: null, notes: true });
    const compiled = new WebAssembly.Module(encode(module));
    const acceptor = new Acceptor({ ...code, module: compiled }, window.memory, LIMITS);
    return new NoteTaker(acceptor, { set, wording: LIMITS, allows: ALLOWS_ALL });
  } catch (error) {
    if (error instanceof Unsupported) return null;
    throw error;
  }
}

/** Puts a text into the window, and returns its span without white space around it. */
function place(window: Window, bytes: Buffer): { start: number; end: number } {
  const missing = bytes.length + PADDING - window.bytes.length;
  if (missing > 0) {
    window.memory.grow(Math.ceil(missing / 65_536));
    window.bytes = Buffer.from(window.memory.buffer, WINDOW);
  }
  window.bytes.set(bytes);
  window.bytes.fill(0, bytes.length, bytes.length + PADDING);
  const text = bytes.toString('latin1');
  const start = text.length - text.trimStart().length;
  return { start, end: Math.max(start, text.trimEnd().length) };
}

function factsOf({ kind, findings }: Examined): string {
  return JSON.stringify([kind, [...findings]]);
}
