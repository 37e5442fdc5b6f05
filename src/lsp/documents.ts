/** Open documents: each is judged by the library soon after a change, as a whole, and its diagnostics are published. */
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  type Position,
  type Range,
  type TextDocumentContentChangeEvent,
  type TextDocumentItem,
  type TextEdit,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { unlessFailed } from '../errors.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { ruleAddress } from '../keywords/rules.ts';
import type { Paylint } from '../library/api.ts';
import { DOCUMENT_VIOLATIONS, FRAMING_BYTES } from '../limits.ts';
import { messageText } from '../log/violation-table.ts';
import { SHOWN_OF_OTHER_FRAMING } from '../run/check/source.ts';
import { plainlyOther } from '../source/detect-framing.ts';
import { framingOfName } from '../source/path-text.ts';
import type { Child, Framing, Violation } from '../types.ts';
import { visible } from '../words/escape.ts';
import type { Instance } from './instances.ts';

/** Milliseconds from a change to the next judgement: more changes may come. */
const SETTLING = 20;

const LANGUAGES: ReadonlySet<string> = new Set(['json', 'jsonl', 'ndjson', 'jsonlines']);

/** JSON that programs read, and not payloads, even if the schema accepts anything. */
const OTHERS = /^(?:package(?:-lock)?|composer|tsconfig.*|jsconfig.*|\..*|.*\.schema|paylint\.config)\.json$/i;

export interface EditorSettings {
  /** Which JSON files are judged: payloads (by their kind or the config), all, or none. */
  readonly validate: 'payloads' | 'all' | 'off';
  /** Path of the config; null: the nearest one upward from the file. */
  readonly config: string | null;
  /** Hover and completion in `.json` files, which the editor's own server may have too. */
  readonly json: { readonly hover: boolean; readonly completion: boolean };
}

export const DEFAULTS: EditorSettings = {
  validate: 'payloads',
  config: null,
  json: { hover: false, completion: false },
};

export interface Host {
  /** Bytes. A longer text is not judged: one diagnostic says so. */
  readonly longest: number;
  readonly settings: () => EditorSettings;
  /** False: the client shows a message alone, and nothing that belongs to it. Absent: it may show more. */
  readonly relatesInformation?: boolean;
  readonly instanceOf: (folder: string) => Promise<Instance>;
  /** The page that explains the rules; null: it has no address. */
  readonly rulesPage: string | null;
  /** `version`: of the text that was judged. */
  readonly publish: (uri: string, version: number, diagnostics: readonly Diagnostic[]) => void;
  /** Something was thrown that is a bug. */
  readonly fail: (error: unknown) => void;
}

type LinePlace = Pick<Violation, 'line' | 'column' | 'endLine' | 'endColumn'>;

/** A payload of a document. Its violations have places in the whole text. */
export interface DocumentPayload {
  readonly kind: string | null;
  readonly violations: readonly Violation[];
  readonly text: string;
  /** Where its text begins in the document, in UTF-16 code units. */
  readonly start: number;
}

/** A change of a payload's text, in UTF-16 code units. */
export interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

export class OpenDocument {
  readonly uri: string;
  /** The path of the file, or a name with its extension. */
  readonly file: string;
  text: TextDocument;
  payloads: readonly DocumentPayload[] = [];
  isByLine = false;
  /** False: the URI is neither that of a file nor one that a text without a file has. */
  readonly isNamed: boolean;
  /** Null: it is no file. */
  readonly #folder: string | null;
  readonly #host: Host;
  #timer: NodeJS.Timeout | null = null;
  /** The judgement of the present text; null: it has not begun. */
  #judging: Promise<readonly Diagnostic[]> | null = null;
  /** Counts what makes a judgement that is under way worthless. */
  #revision = 0;
  #isClosed = false;
  #isPayload = false;
  /** By line of a violation: where it begins, in UTF-16 code units. */
  #lineStarts: readonly number[] = [];

  constructor({ uri, text, version, languageId }: TextDocumentItem, host: Host) {
    this.uri = uri;
    this.text = TextDocument.create(uri, languageId, version, text);
    const path = pathOf(uri);
    const folder = path === null ? pathOf(dirname(uri)) : dirname(path);
    const name = path === null ? unlessFailed(() => decodeURIComponent(basename(uri))) : basename(path);
    this.isNamed = path !== null || (!uri.startsWith('file:') && name !== null);
    this.file = join(folder ?? '', name ?? basename(uri));
    this.#folder = folder;
    this.#host = host;
    this.forget();
  }

  static isFor({ uri, languageId }: TextDocumentItem): boolean {
    return LANGUAGES.has(languageId) || (languageId !== 'jsonc' && /\.(?:json|ndjson|jsonl)$/i.test(uri));
  }

  /** A `.json` file, or text without a name that is said to be JSON. */
  get isPlainJson(): boolean {
    return framingOfName(this.file) === 'json' || (extname(this.file) === '' && this.text.languageId === 'json');
  }

  /** What it is judged with; null if the config or the schema cannot be used. */
  async paylint(): Promise<Paylint | null> {
    return (await this.#instance()).paylintFor(this.file);
  }

  #instance(): Promise<Instance> {
    return this.#host.instanceOf(this.#folder ?? '');
  }

  change(changes: TextDocumentContentChangeEvent[], version: number): void {
    this.text = TextDocument.update(this.text, changes, version);
    this.forget();
  }

  /** What was found does not count any more, because the text, the config or a schema has changed. */
  forget(): void {
    this.#revision++;
    this.#judging = null;
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.settled().catch(this.#host.fail);
    }, SETTLING);
  }

  close(): void {
    this.drop();
    this.#host.publish(this.uri, this.text.version, []);
  }

  drop(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async settled(): Promise<readonly Diagnostic[]> {
    for (;;) {
      this.#judging ??= this.#judge();
      const judging = this.#judging;
      const found = await judging;
      if (judging === this.#judging || this.#isClosed) return found;
    }
  }

  async #judge(): Promise<readonly Diagnostic[]> {
    const asked = this.#instance(); // it may find that files have changed, and make this document forget
    const revision = this.#revision;
    const instance = await asked;
    const paylint = await instance.paylintFor(this.file);
    const text = this.text.getText().toWellFormed();
    const bytes = Buffer.from(text);
    const isTooLong = bytes.length > this.#host.longest;
    const isJudged = paylint !== null && this.#host.settings().validate !== 'off';
    const framing = paylint === null ? 'json' : this.#framingFor(bytes, instance, paylint);
    // The framing that the text clearly has although its name says another.
    const start = byteOrderMark(bytes);
    const other = plainlyOther(framing, bytes.subarray(start, start + FRAMING_BYTES), bytes.length <= FRAMING_BYTES);
    const payloads: DocumentPayload[] = [];
    if (isJudged && !isTooLong) {
      let at = 0;
      for await (const payload of paylint.payloads(bytes, { file: this.file, input: framing })) {
        if (revision !== this.#revision || this.#isClosed) return [];
        const { kind, violations } = payload;
        at = Math.max(text.indexOf(payload.text, at), at);
        payloads.push({ kind, violations, text: payload.text, start: at });
        at += payload.text.length;
      }
    }
    if (revision !== this.#revision || this.#isClosed) return [];
    this.payloads = payloads;
    this.#lineStarts = lineStartsIn(text);
    this.isByLine = framing === 'lines' && other === null;
    let found: readonly Diagnostic[] = [];
    if (isJudged && this.#shows(paylint, instance))
      found = isTooLong ? [this.#tooLong()] : this.#diagnostics(other === null ? null : SHOWN_OF_OTHER_FRAMING);
    this.#host.publish(this.uri, this.text.version, found);
    return found;
  }

  #framingFor(bytes: Buffer, { input }: Instance, paylint: Paylint): Framing {
    if (input !== null) return input === 'json' || input === 'stream' ? input : 'lines';
    const named = framingOfName(this.file);
    if (named !== null) return named;
    if (this.text.languageId !== 'json') return 'lines';
    return this.#folder === null ? 'json' : paylint.framingOf(bytes, this.file);
  }

  #tooLong(): Diagnostic {
    const start = { line: 0, character: 0 };
    const limit = `${this.#host.longest / (1 << 20)} MB`;
    return {
      range: { start, end: start },
      severity: DiagnosticSeverity.Warning,
      source: 'paylint',
      message: `this text is longer than ${limit} and is not checked here; paylint validate ${visible(basename(this.file))} checks it`,
    };
  }

  /** Whether diagnostics are wanted: a JSON file may be no payload at all. */
  #shows(paylint: Paylint, { rules }: Instance): boolean {
    if (rules.ignores(this.file)) return false;
    const isWanted = this.#host.settings().validate === 'all' || !this.isPlainJson || rules.kindOf(this.file) !== null;
    if (isWanted) return true;
    if (OTHERS.test(basename(this.file))) return false;
    this.#isPayload ||= this.payloads.some(hasKind) || likelyKind(this.text.getText(), paylint) !== null;
    return this.#isPayload;
  }

  /** `most`: how many are enough, because all have one cause; null: 1,000, and the last one says how many more there are. */
  #diagnostics(most: number | null): Diagnostic[] {
    const all = this.payloads.flatMap(({ violations }) => violations);
    const shown = all.slice(0, most ?? DOCUMENT_VIOLATIONS).map((violation) => this.#diagnostic(violation));
    const last = shown.at(-1);
    if (most !== null || all.length <= DOCUMENT_VIOLATIONS || last === undefined) return shown;
    const more = all.length - DOCUMENT_VIOLATIONS + 1;
    const message = `${more} more violations are not shown; paylint validate lists them all`;
    const { range, severity = DiagnosticSeverity.Error } = last;
    return [...shown.slice(0, -1), { range, severity, source: 'paylint', message }];
  }

  #diagnostic(violation: Violation): Diagnostic {
    const { rule, severity } = violation;
    const causes = causesOf(violation);
    const relatedInformation = causes.map((cause) => ({
      location: { uri: this.uri, range: this.rangeOf(cause) },
      message: `${cause.rule} at ${visible(cause.pointer) || '(root)'}: ${messageText(cause)}`,
    }));
    const inMessage =
      this.#host.relatesInformation === false ? relatedInformation.map(({ message }) => `\n${message}`) : [];
    const href = ruleAddress(this.#host.rulesPage, rule);
    return {
      range: this.rangeOf(violation),
      severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
      code: rule,
      ...(href === null ? {} : { codeDescription: { href } }),
      source: 'paylint',
      message: messageText(violation) + inMessage.join(''),
      ...(rule === 'deprecated' ? { tags: [DiagnosticTag.Deprecated] } : {}),
      ...(causes.length === 0 ? {} : { relatedInformation }),
    };
  }

  /** Where a violation of the text that was judged begins and ends, in UTF-16 code units. */
  spanOf({ line, column, endLine, endColumn }: LinePlace): [from: number, to: number] {
    const starts = this.#lineStarts;
    return [starts[line - 1]! + column - 1, starts[endLine - 1]! + endColumn - 1];
  }

  rangeOf(place: LinePlace): Range {
    const [from, to] = this.spanOf(place);
    return { start: this.text.positionAt(from), end: this.text.positionAt(to) };
  }

  /** The payload at a position, and the offset in its text; null: there is none. */
  payloadAt(position: Position): { readonly payload: DocumentPayload; readonly offset: number } | null {
    const offset = this.text.offsetAt(position);
    const payload = this.payloads.find(
      ({ text, start }) => text !== '' && offset >= start && offset <= start + text.length,
    );
    return payload === undefined ? null : { payload, offset: offset - payload.start };
  }

  rangeIn({ start }: DocumentPayload, offset: number, length: number): Range {
    const from = start + offset;
    return { start: this.text.positionAt(from), end: this.text.positionAt(from + length) };
  }

  editsOf(payload: DocumentPayload, changes: readonly TextChange[]): TextEdit[] {
    return changes.map(({ offset, length, text }) => ({ range: this.rangeIn(payload, offset, length), newText: text }));
  }
}

/** Whether a payload has a kind, or a type that is nearly that of one. */
function hasKind({ kind, violations }: DocumentPayload): boolean {
  return (
    kind !== null ||
    violations.some(
      ({ rule, pointer, suggestion }) =>
        rule === 'unknown-kind' && pointer.endsWith('/@type') && suggestion !== undefined,
    )
  );
}

/** The kind of the first payload of a text that is not JSON yet, as far as it is written. */
function likelyKind(whole: string, paylint: Paylint): string | null {
  const text = whole.slice(0, 1 << 20);
  const at = text.indexOf('{');
  return at < 0 ? null : paylint.complete(text, at + 1).kind;
}

/** Where lines begin for paylint: after line feeds only. In the protocol, a carriage return ends a line, too. */
function lineStartsIn(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** What is wrong inside the closest alternative, level by level. */
function causesOf({ children = [] }: Pick<Child, 'children'>): Child[] {
  return children.flatMap((child) => [child, ...causesOf(child)]);
}

/** Null: it is no URI of a file. */
function pathOf(uri: string): string | null {
  return uri.startsWith('file:') ? unlessFailed(() => fileURLToPath(uri)) : null;
}
