/**
 * Compares noted violations with those of examine, over mutations of the fixtures: where notes are certain, both must
 * find the same, field by field.
 */
import { Acceptor } from '../../src/engine/compile/acceptor.ts';
import { compileAccept } from '../../src/engine/compile/module.ts';
import { KIND } from '../../src/engine/compile/output.ts';
import { type Examined, Examiner } from '../../src/engine/judge/examine.ts';
import { ascending } from '../../src/engine/judge/fault.ts';
import { NoteTaker } from '../../src/engine/judge/noted.ts';
import { ALLOWS_ALL } from '../../src/engine/judge/sites.ts';
import type { SchemaSet } from '../../src/schema/set.ts';
import { Window } from '../../src/source/window.ts';
import type { Finding } from '../../src/types.ts';
import type { ModuleCode } from '../../src/wasm/assembler.ts';
import { encode } from '../../src/wasm/encode.ts';
import { PADDING } from '../../src/wasm/layout.ts';
import { judgedKinds } from '../judged-kinds.ts';

/** A payload for which they differ, and what each of them says. */
export interface NoteDifference {
  readonly payload: string;
  readonly noted: string;
  readonly examined: string;
}

export interface NoteOutcome {
  /** Payloads with violations, and how many of them were noted. */
  readonly invalid: number;
  readonly noted: number;
  readonly wrong: readonly NoteDifference[];
}

/** Compares what both find in each of `payloads`. */
export async function compareNotes(set: SchemaSet, payloads: Iterable<Buffer>): Promise<NoteOutcome> {
  const window = new Window();
  const limits = { maxDepth: 1000, maxBytes: 1 << 30, redact: false };
  const examiner = new Examiner(await judgedKinds(set), limits);
  const code = runnable(compileAccept(set, { givenKind: null, defaults: null, notes: true }));
  const acceptor = new Acceptor(code, window.memory, limits);
  const taker = new NoteTaker(acceptor, { set, wording: limits, allows: ALLOWS_ALL });
  let [invalid, noted] = [0, 0];
  const wrong: NoteDifference[] = [];
  for (const payload of payloads) {
    window.bytes.set(payload);
    window.bytes.fill(0, payload.length, payload.length + PADDING);
    const span = { start: 0, end: payload.length };
    const examined = examiner.examine({ bytes: payload, span, base: 0, ending: 'text' }, null);
    if (examined.findings.length > 0) invalid++;
    const hidden = taker.take({ bytes: window.bytes, span, countsOnly: true, isUtf8: false });
    if (hidden !== null) {
      const counted = hidden.hidden.flatMap(([one, count]) => Array.from({ length: count }, () => one));
      const [a, b] = [counted, examined.findings].map((all) => rulesIn(all));
      if (a !== b) wrong.push({ payload: payload.toString(), noted: `counted: ${a}`, examined: b! });
    }
    const ours = taker.take({ bytes: window.bytes, span, countsOnly: false, isUtf8: false });
    if (ours === null) continue;
    noted++;
    const [a, b, c] = [ours, examined, asLine(taker, acceptor, window, payload.length) ?? ours].map(
      ({ kind, findings }) => JSON.stringify({ kind, findings: [...findings].map(sorted) }),
    );
    if (a !== b) wrong.push({ payload: payload.toString(), noted: a!, examined: b! });
    if (a !== c) wrong.push({ payload: payload.toString(), noted: c!, examined: `as one payload: ${a}` });
    if (wrong.length === 10) break;
  }
  return { invalid, noted, wrong };
}

/** The rules of violations, as one text. */
function rulesIn(violations: readonly { readonly rule: string }[]): string {
  return violations
    .map(({ rule }) => rule)
    .sort()
    .join();
}

function runnable<T extends { readonly module: ModuleCode }>({ module, ...code }: T) {
  return { ...code, module: new WebAssembly.Module(encode(module)) };
}

/** With its fields in the order of their names. */
function sorted(finding: Finding): object {
  return Object.fromEntries(Object.entries(finding).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The same for the payload at the beginning of the window as a line among others; null if it has several lines. */
function asLine(
  taker: NoteTaker,
  acceptor: Acceptor,
  window: Window,
  length: number,
): Pick<Examined, 'kind' | 'findings'> | null {
  const { bytes, memory } = window;
  if (bytes.subarray(0, length).includes(LINE_FEED)) return null;
  bytes[length] = LINE_FEED;
  acceptor.reset();
  const at = { memory, bytes, base: 0, outputAt: 0 };
  const run = acceptor.run({ ...at, start: 0, end: length + 1, atEnd: false }, 'noted');
  if (run === null || run.stop <= length) return { kind: 'unread', findings: [] };
  const notes = acceptor.notes!;
  const statementOf = taker.statements(bytes, 0);
  const order = ascending(notes.rowsEnd(0), (row) => taker.placeOf(row));
  const findings = Array.from(order, (row): Finding => {
    const { kind: _, severity: __, ...said } = statementOf(row).statement;
    return { ...said, span: taker.spanOf(row) } as unknown as Finding; // the fields of one
  });
  return { kind: notes.kinds[notes.payloads.number(0, KIND)] ?? null, findings };
}

const LINE_FEED = 0x0a;
