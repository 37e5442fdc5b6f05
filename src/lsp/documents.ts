/**
 * The documents that are open: each is judged again soon after a change, and its diagnostics are published.
 */
import { basename, dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Diagnostic, DiagnosticSeverity, type TextDocumentItem } from 'vscode-languageserver';
import type { Paylint } from '../library/api.ts';
import { framingOfName } from '../source/path-text.ts';
import type { Framing } from '../types.ts';
import { visible } from '../words/escape.ts';
import { diagnosticsOf } from './diagnostics.ts';
import type { Instance } from './instances.ts';
import { type JudgedDocument, judgeLines, judgeWhole, type KnownLine, otherFraming, payloadsIn } from './judgement.ts';
import { type Encoding, type LineChange, LineText } from './line-text.ts';

/** Milliseconds from a change to the next judgement: more changes may come. */
const SETTLING = 20;

/** See `Host`. */
export const MOST_BYTES = 16 << 20;

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

/** What documents need of the server. */
export interface Host {
  readonly encoding: Encoding;
  readonly related: boolean;
  /** Bytes. A longer text is not judged: one diagnostic says so. */
  readonly longest: number;
  readonly settings: () => EditorSettings;
  readonly instanceOf: (folder: string) => Promise<Instance>;
  /** `version`: of the text that was judged. */
  readonly publish: (uri: string, version: number, diagnostics: readonly Diagnostic[]) => void;
  /** Something was thrown that is a bug. */
  readonly fail: (error: unknown) => void;
}

export class OpenDocument implements JudgedDocument {
  readonly uri: string;
  readonly text: LineText<KnownLine>;
  /** The path of the file, or a name with its extension. */
  readonly file: string;
  /** Null: it is no file. */
  readonly folder: string | null;
  whole: JudgedDocument['whole'] = null;
  version: number;
  readonly #host: Host;
  readonly #language: string;
  #timer: NodeJS.Timeout | null = null;
  #work: Promise<void> | null = null;
  /** How often there was something new to judge, and up to which time that was done. */
  #asked = 1;
  #judged = 0;
  /** What is found by a judgement that is under way does not count. */
  #isForgotten = false;
  #isClosed = false;
  /** It has been seen to hold payloads. */
  #isPayload = false;
  #instance: Instance | null = null;
  /** The framing that the text clearly has although its name says another. */
  #other: Framing | null = null;

  constructor({ uri, text, version, languageId }: TextDocumentItem, host: Host) {
    this.uri = uri;
    this.version = version;
    this.text = new LineText(text, host.encoding);
    const path = uri.startsWith('file:') ? fileURLToPath(uri) : null;
    this.file = path ?? decodeURIComponent(basename(uri));
    this.folder = path === null ? null : dirname(path);
    this.#host = host;
    this.#language = languageId;
    this.schedule();
  }

  static isFor({ uri, languageId }: TextDocumentItem): boolean {
    return LANGUAGES.has(languageId) || (languageId !== 'jsonc' && /\.(?:json|ndjson|jsonl)$/i.test(uri));
  }

  /** A `.json` file, or text without a name that is said to be JSON. */
  get isPlainJson(): boolean {
    return framingOfName(this.file) === 'json' || (extname(this.file) === '' && this.#language === 'json');
  }

  /** Each line is a payload by itself. */
  get isByLine(): boolean {
    return this.whole === null && !this.isPlainJson;
  }

  /** What it is judged with; null if the config or the schema cannot be used. */
  async paylint(): Promise<Paylint | null> {
    this.#instance = await this.#host.instanceOf(this.folder ?? '');
    return this.#instance.paylintFor(this.file);
  }

  change(changes: readonly LineChange[], version: number): void {
    for (const change of changes) this.text.apply(change);
    this.version = version;
    this.#asked++;
    this.schedule();
  }

  /** Nothing is known any more, because the config or a schema has changed. */
  forget(): void {
    this.#isForgotten = true;
    this.#asked++;
    this.schedule();
  }

  close(): void {
    this.drop();
    this.#host.publish(this.uri, this.version, []);
  }

  drop(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  schedule(): void {
    if (this.#timer !== null || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.settled().catch(this.#host.fail);
    }, SETTLING);
  }

  /** Resolves when the present text has been judged. */
  async settled(): Promise<readonly Diagnostic[]> {
    while (this.#judged !== this.#asked && !this.#isClosed) {
      this.#work ??= this.#judge().finally(() => {
        this.#work = null;
      });
      await this.#work;
    }
    return this.#diagnostics;
  }

  #diagnostics: readonly Diagnostic[] = [];

  get #isLong(): boolean {
    return this.text.size > this.#host.longest;
  }

  async #judge(): Promise<void> {
    const asked = this.#asked;
    if (this.#isForgotten) this.text.forget();
    this.#isForgotten = false;
    const paylint = await this.paylint();
    let found: readonly Diagnostic[] | null = [];
    const { validate } = this.#host.settings();
    if (paylint !== null && validate !== 'off') {
      do {
        await this.#judgeWith(paylint);
        const { uri } = this;
        if (!this.#shows(paylint)) found = [];
        else if (this.#isLong) found = [this.#tooLong()];
        else
          found = diagnosticsOf(this, {
            uri,
            paylint,
            related: this.#host.related,
            isOther: this.#other !== null,
          });
      } while (found === null && asked === this.#asked);
    }
    this.#judged = asked;
    if (asked !== this.#asked || this.#isClosed) return;
    this.#diagnostics = found ?? [];
    this.#host.publish(this.uri, this.version, this.#diagnostics);
  }

  async #judgeWith(paylint: Paylint): Promise<void> {
    const judge = { paylint, file: this.file, framing: this.#framingFor(paylint) };
    this.#other = otherFraming(judge.framing, this.text);
    if (this.#isLong) this.text.forget();
    else if (judge.framing !== 'lines' || this.#other !== null) return judgeWhole(this, judge);
    this.whole = null;
    if (!this.#isLong) return judgeLines(this, judge);
  }

  #framingFor(paylint: Paylint): Framing {
    const given = this.#instance?.input ?? null;
    if (given !== null) return given === 'json' || given === 'stream' ? given : 'lines';
    const named = framingOfName(this.file);
    if (named !== null) return named;
    if (this.#language !== 'json') return 'lines';
    return this.folder === null ? 'json' : paylint.framingOf(Buffer.from(this.text.text()), this.file);
  }

  #tooLong(): Diagnostic {
    const start = { line: 0, character: 0 };
    const limit = `${this.#host.longest / (1 << 20)} MB`;
    return {
      range: { start, end: start },
      severity: DiagnosticSeverity.Warning,
      source: 'paylint',
      message: `this text is longer than ${limit} and is not judged here; paylint validate ${visible(basename(this.file))} judges it`,
    };
  }

  /** Whether a payload has a kind, or a type that is nearly that of one. */
  #hasKind(): boolean {
    for (const { found } of payloadsIn(this)) {
      const isNear = found.violations.some(
        ({ rule, pointer, suggestion }) =>
          rule === 'unknown-kind' && pointer.endsWith('/@type') && suggestion !== undefined,
      );
      if (found.kind !== null || isNear) return true;
    }
    return false;
  }

  /** Whether diagnostics are wanted: a JSON file may be no payload at all. */
  #shows(paylint: Paylint): boolean {
    const { validate } = this.#host.settings();
    const { rules } = this.#instance!; // which made `paylint`
    if (rules.ignores(this.file)) return false;
    if (validate === 'all' || !this.isPlainJson || rules.kindOf(this.file) !== null) return true;
    if (OTHERS.test(basename(this.file))) return false;
    this.#isPayload ||= this.#hasKind();
    this.#isPayload ||= likelyKind(this.text, paylint) !== null;
    return this.#isPayload;
  }
}

/** The kind of the first payload of a text that is not JSON yet, as far as it is written. */
function likelyKind(whole: LineText<KnownLine>, paylint: Paylint): string | null {
  const text = whole.head(1 << 20);
  const at = text.indexOf('{');
  return at < 0 ? null : paylint.complete(text, at + 1).kind;
}
