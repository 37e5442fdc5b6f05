/** Findings of violations that were noted from the bytes, not read as values: the same as those of examine. */
import { Children } from '../../json/children.ts';
import { type Followed, Follower, NOT_KEPT } from '../../json/follow.ts';
import { once } from '../../json/on-demand.ts';
import { escapeToken } from '../../json/pointer.ts';
import { skipValue } from '../../json/skip.ts';
import { decodeString } from '../../json/utf8.ts';
import { stated } from '../../keywords/index.ts';
import type { SchemaFacts } from '../../keywords/params.ts';
import { decidingMembers } from '../../schema/facts.ts';
import { writtenName } from '../../schema/node.ts';
import type { SchemaSet } from '../../schema/set.ts';
import type { Finding, Hidden, Mutable, Span, Statement } from '../../types.ts';
import { nearMiss } from '../../words/near.ts';
import type { Acceptor, NotedRows, NotedStatement } from '../compile/acceptor.ts';
import type { NotingCode } from '../compile/code.ts';
import type { NoteSite } from '../compile/context.ts';
import { KIND, type NoteList, PAYLOAD_END, PAYLOAD_START } from '../compile/output.ts';
import { Author } from './author.ts';
import type { Examined } from './examine.ts';
import { hiddenOf } from './payload-findings.ts';
import { A, ascending, B, END, type HiddenCounts, type RowFacts, SITE, START } from './records.ts';
import { NO_FILLS } from './row-log.ts';
import { type Errors, type SiteList, schemaFinding, shownAt, shownSpan } from './schema-findings.ts';
import { type AllowsDefault, type Site, siteOf } from './sites.ts';
import { type Misspelt, misspelt, wrongMember } from './unknown-kind.ts';

export interface NotedContext {
  /** The schemas for which the acceptor's code was made. */
  readonly set: SchemaSet;
  readonly redact: boolean;
  readonly allows: AllowsDefault;
}

export class NotedSites implements SiteList {
  readonly #noted: readonly NoteSite[];
  readonly #sites: Site[] = [];
  readonly #hidden: Hidden[] = [];
  readonly #allows: AllowsDefault;

  constructor({ sites }: NoteList, allows: AllowsDefault) {
    this.#noted = sites;
    this.#allows = allows;
  }

  /** Whether the site is that of payloads of no kind. */
  isUnknown(site: number): boolean {
    return site === this.#noted.length;
  }

  at(site: number): Site {
    this.#sites[site] ??= notedSite(this.#noted[site]!, this.#allows);
    return this.#sites[site];
  }

  hiddenAt(site: number): Hidden {
    if (this.isUnknown(site)) return UNKNOWN_KIND;
    const { facts, fix } = this.at(site);
    this.#hidden[site] ??= { rule: facts.rule, fixable: fix === 'fill' };
    return this.#hidden[site];
  }

  /** The pointer of the value that the site is about; null if it depends on the payload. */
  pointerOf(site: number): string | null {
    return this.#noted[site]!.pointer;
  }
}

const UNKNOWN_KIND: Hidden = { rule: 'unknown-kind', fixable: false };

function notedSite({ schema, keyword, missing }: NoteSite, allows: AllowsDefault): Site {
  const rule = writtenName(schema, keyword);
  const facts = {
    ...stated(keyword, schema, missing === null ? null : { missing, because: null }),
    rule,
  } as SchemaFacts; // the names of one keyword have the same params
  const place = `${schema.origin.place}/${escapeToken(facts.rule)}`;
  return siteOf({ facts, node: schema, place }, allows);
}

export interface NotedPayload {
  readonly bytes: Buffer;
  readonly span: Span;
  /** Violations are only counted. */
  readonly countsOnly: boolean;
  readonly isUtf8: boolean;
}

/** What turns an acceptor into one that notes violations. `code`: made from `set`. */
export function notingWith(
  code: NotingCode,
  set: SchemaSet,
  allows: AllowsDefault,
): (acceptor: Acceptor, redact: boolean) => NoteTaker {
  return (acceptor, redact) => {
    acceptor.use(code);
    const taker = new NoteTaker(acceptor, { set, redact, allows });
    acceptor.noted = taker;
    return taker;
  };
}

/** Finds violations in payloads, if they are certain from the bytes. */
export class NoteTaker implements NotedRows {
  readonly kinds: readonly string[];
  readonly #acceptor: Acceptor;
  readonly #notes: NoteList;
  readonly #sites: NotedSites;
  readonly #errors: Errors;
  readonly #context: NotedContext;
  /** Null: the schemas have no messages of their authors. */
  readonly #author: Author | null;
  /** By site and kind, then by key. */
  readonly #remembered: Map<string, NotedStatement>[] = [];

  /** `acceptor`: its code notes violations. */
  constructor(acceptor: Acceptor, context: NotedContext) {
    const notes = acceptor.notes!;
    this.kinds = notes.kinds;
    this.#acceptor = acceptor;
    this.#notes = notes;
    this.#sites = new NotedSites(notes, context.allows);
    this.#errors = { rows: notes.rows, sites: this.#sites, inDefaults: [] };
    this.#context = context;
    this.#author = Author.of(context.set);
  }

  /** Null if only examine can say what is wrong, or if nothing is. */
  take(payload: NotedPayload): Examined | null {
    const kind = this.find(payload);
    if (kind === undefined) return null;
    const examined = { kind, fills: NO_FILLS, wellFormed: true } as const;
    if (payload.countsOnly) return { ...examined, findings: [], hidden: this.#hidden() };
    return { ...examined, findings: this.findings(payload, kind), hidden: [] };
  }

  /** The kind of an invalid payload; undefined where `take` gives null. The violations are noted until the next call. */
  find({ bytes, span, isUtf8 }: Omit<NotedPayload, 'countsOnly'>): string | null | undefined {
    const number = this.#acceptor.note(bytes, span, isUtf8);
    return number < 0 || this.#notes.rows.length === 0 ? undefined : (this.kinds[number] ?? null);
  }

  /** Findings for the noted violations of the payload that was read last. */
  findings({ bytes, span }: Pick<NotedPayload, 'bytes' | 'span'>, kind: string | null): readonly Finding[] {
    const { length } = this.#notes.rows;
    const findingOf = this.#findings(bytes, span, kind, this.#seeker(bytes, span));
    const order = length === 1 ? ONLY : ascending(length, (row) => this.placeOf(row));
    return order.map(findingOf);
  }

  /** The counts of the rows. A payload of no kind has one. */
  #hidden(): HiddenCounts {
    return this.#isUnknown(0) ? [[UNKNOWN_KIND, 1]] : hiddenOf(this.#errors, [], (hidden) => hidden);
  }

  #isUnknown(row: number): boolean {
    return this.#sites.isUnknown(this.#notes.rows.number(row, SITE));
  }

  /** Index in the window of the bytes that a row's finding shows. */
  placeOf(row: number): number {
    return this.#isUnknown(row) ? this.#notes.rows.get(row, START) : shownAt(this.#errors, row);
  }

  /** Gives the findings for rows of a payload, in the order of their places. */
  #findings(bytes: Buffer, span: Span, kind: string | null, seek: Seek): (row: number) => Finding {
    const { redact } = this.#context;
    const context = { redact, bytes, span, suggests: true };
    return (row) => {
      if (this.#isUnknown(row)) return this.#unknownKind(bytes, span, row);
      const found = schemaFinding(this.#errors, row, this.#factsOf(bytes, span, row) ?? seek(row), context);
      return (
        this.#author?.withMessage(found, kind, redact ? null : () => valueIn(bytes, span.start, span.end)) ?? found
      );
    };
  }

  /** Gives the pointers and values of rows of a payload, in the order of their places. */
  #seeker(bytes: Buffer, { start, end }: Span): Seek {
    const follower = once(() => new Follower(bytes, start, end, NOT_KEPT));
    return (row) => follower().seek(this.placeOf(row));
  }

  /**
   * What they say, for a payload with this index in `payloads`. Findings that differ only in the span may share one
   * statement. It is an error: with other severities, which come from rules in the config, no lines are read many at a time.
   */
  statements(bytes: Buffer, index: number): (row: number) => NotedStatement {
    const { payloads } = this.#notes;
    const number = payloads.number(index, KIND);
    const kind = this.kinds[number] ?? null;
    const span = { start: payloads.get(index, PAYLOAD_START), end: payloads.get(index, PAYLOAD_END) };
    const seek = this.#seeker(bytes, span);
    const findingOf = once(() => this.#findings(bytes, span, kind, seek));
    const make = (row: number, again: boolean): NotedStatement => {
      const finding = findingOf()(row);
      const { rule, pointer, params, schema, fixable, message, suggestion, authorMessage, misspelt } = finding;
      const fix = fixable ? 'fill' : finding.fix;
      // One object, with each member named: a copy takes twice as long.
      const draft = { kind, severity: 'error', pointer, rule, message, params, schema, fixable };
      const statement = draft as Mutable<Statement>; // the params match the rule
      if (fix !== undefined) statement.fix = fix;
      if (suggestion !== null) statement.suggestion = suggestion;
      if (authorMessage !== undefined) statement.authorMessage = authorMessage;
      return misspelt === undefined ? { statement, again } : { statement, again, misspelt };
    };
    return (row) => {
      const key = this.#keyOf(bytes, span, row, seek);
      if (key === null) return make(row, false);
      const slot = this.#notes.rows.number(row, SITE) * (this.kinds.length + 1) + number;
      this.#remembered[slot] ??= new Map();
      const remembered = this.#remembered[slot];
      const known = remembered.get(key);
      if (known !== undefined) return known;
      const again = remembered.size < MOST_REMEMBERED && this.#isSame(bytes, row);
      const made = make(row, again);
      if (again) remembered.set(key, made);
      return made;
    };
  }

  /** What to count for a row whose finding is not shown. */
  hiddenAt(row: number): Hidden {
    return this.#sites.hiddenAt(this.#notes.rows.get(row, SITE));
  }

  spanOf(row: number): Span {
    const { rows } = this.#notes;
    if (this.#isUnknown(row)) return { start: rows.get(row, START), end: rows.get(row, END) };
    return shownSpan(this.#errors, row);
  }

  /** With kind and site, this text determines a finding but for its span. Null: it depends on more. */
  #keyOf(bytes: Buffer, span: Span, row: number, seek: Seek): string | null {
    if (this.#isUnknown(row)) {
      const text = this.#textAt(bytes, row, [START, END]);
      if (text === null) return null;
      const misspelt = this.#misspelt(bytes, span)?.found ?? '';
      return `${this.#notes.rows.number(row, A)} ${misspelt.length} ${misspelt}${text}`;
    }
    const site = this.#notes.rows.number(row, SITE);
    const text = this.#textOf(bytes, row, this.#sites.at(site));
    if (text === null || this.#sites.pointerOf(site) !== null) return text;
    const { pointer } = seek(row);
    return pointer.length > LONGEST_KEY ? null : `${pointer.length} ${pointer}${text}`;
  }

  /** The same without the pointer. */
  #textOf(bytes: Buffer, row: number, { facts, anchor }: Site): string | null {
    if (facts.rule === 'required') return this.#notes.rows.number(row, B) === 0 ? '' : null;
    if (anchor === 'name') return facts.rule === 'additionalProperties' ? this.#textAt(bytes, row, [A, B]) : null;
    return this.#textAt(bytes, row, [START, END]);
  }

  /** The text of the value or the name that a row is about; null: it is too long. */
  #textAt(
    bytes: Buffer,
    row: number,
    [from, to]: readonly [typeof START | typeof A, typeof END | typeof B],
  ): string | null {
    const [start, end] = [this.#notes.rows.get(row, from), this.#notes.rows.get(row, to)];
    return end - start > LONGEST_KEY ? null : bytes.toString('latin1', start, end);
  }

  /** False if it depends on more: of names that are similar, the payload may have both. */
  #isSame(bytes: Buffer, row: number): boolean {
    const { rows } = this.#notes;
    if (this.#isUnknown(row)) return true;
    if (this.#author?.quotes === true) return false;
    const site = this.#sites.at(rows.number(row, SITE));
    if (site.anchor !== 'name') return true;
    const name = decodeString(bytes, rows.get(row, A), rows.get(row, B), false);
    return nearMiss(name, Object.keys(site.properties)) === null;
  }

  #unknownKind(bytes: Buffer, payload: Span, row: number): Finding {
    const { rows } = this.#notes;
    const { set, redact } = this.#context;
    const span = this.spanOf(row);
    const name = decidingMembers(set.kinds)[rows.number(row, A)]!; // as the functions were made
    const value = valueIn(bytes, span.start, span.end);
    return wrongMember(set.kinds, { name, value, span, misspelt: this.#misspelt(bytes, payload) }, redact);
  }

  #misspelt(bytes: Buffer, { start, end }: Span): Misspelt | null {
    return misspelt(this.#context.set.kinds, () => memberNames(bytes, start, end));
  }

  /** The pointer and the value of a row; null if the pointer is not known. */
  #factsOf(bytes: Buffer, { end }: Span, row: number): RowFacts | null {
    const { rows } = this.#notes;
    const pointer = this.#sites.pointerOf(rows.get(row, SITE));
    if (pointer === null) return null;
    const { rule } = this.#sites.at(rows.get(row, SITE)).facts;
    const start = rows.get(row, START);
    const b = rows.get(row, B);
    if (rule === 'required') {
      // The names matter only if one of them may be what was meant.
      return b === 0 ? { pointer, value: NO_NAMES } : new NotedFacts(pointer, bytes, { start, end }, true);
    }
    const member = b === 0 ? '' : `/${escapeToken(decodeString(bytes, rows.get(row, A), b, false))}`;
    return new NotedFacts(pointer + member, bytes, { start, end }, false);
  }
}

type Seek = (row: number) => Followed;

/** Maximum length of a key: bytes of a text, UTF-16 code units of a pointer. */
const LONGEST_KEY = 64;
/** Maximum number of statements that are kept per site. */
const MOST_REMEMBERED = 256;
const ONLY = [0];
const NO_NAMES = {};

/**
 * The value at the start of a span, read when it is needed; `namesOnly`: an object whose values do not matter.
 * A class, because object literals with a getter, which V8 makes slowly, took a third of the time of a run.
 */
class NotedFacts implements RowFacts {
  readonly pointer: string;
  readonly #read: () => unknown;

  constructor(pointer: string, bytes: Buffer, { start, end }: Span, namesOnly: boolean) {
    this.pointer = pointer;
    this.#read = once(() =>
      namesOnly
        ? Object.fromEntries(memberNames(bytes, start, end).map((name) => [name, null]))
        : valueIn(bytes, start, skipValue(bytes, start, end)),
    );
  }

  get value(): unknown {
    return this.#read();
  }
}

/** The names of the members of the well-formed object at `start`. */
function memberNames(bytes: Buffer, start: number, end: number): string[] {
  const names: string[] = [];
  const members = new Children(bytes, start, end);
  while (members.next()) names.push(members.name());
  return names;
}

function valueIn(bytes: Buffer, start: number, end: number): unknown {
  return JSON.parse(bytes.toString('utf8', start, end));
}
