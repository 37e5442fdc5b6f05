/** Findings of violations that were noted from the bytes, not read as values: the same as those of examine. */
import { Children } from '../../json/children.ts';
import { NO_FILLS } from '../../json/edits.ts';
import { type Followed, Follower, NOT_KEPT } from '../../json/follow.ts';
import { once } from '../../json/on-demand.ts';
import { escapeToken } from '../../json/pointer.ts';
import { BACKSLASH, skipValue } from '../../json/skip.ts';
import { decodeString } from '../../json/utf8.ts';
import { stated } from '../../keywords/index.ts';
import type { SchemaFacts } from '../../keywords/params.ts';
import { decidingMembers } from '../../schema/facts.ts';
import { writtenName } from '../../schema/node.ts';
import type { SchemaSet } from '../../schema/set.ts';
import type { Finding, Hidden, Span, Statement } from '../../types.ts';
import { nearMiss } from '../../words/near.ts';
import type { Wording } from '../../words/rule.ts';
import type { Acceptor, NotedRows, NotedStatement } from '../compile/acceptor.ts';
import type { NotingCode } from '../compile/code.ts';
import type { NoteSite } from '../compile/context.ts';
import { A, B, END, KIND, type NoteList, PAYLOAD_END, PAYLOAD_START, SITE, START } from '../compile/output.ts';
import { Author } from './author.ts';
import type { Examined } from './examine.ts';
import { ascending, bareStatement, countsOf, type Fault, type HiddenCounts, hiddenOf, shownSpan } from './fault.ts';
import { schemaFinding, typeAt } from './schema-findings.ts';
import { type AllowsDefault, type Site, siteOf } from './sites.ts';
import { type Misspelt, misspelt, wrongMember } from './unknown-kind.ts';

export interface NotedContext {
  /** The schemas for which the acceptor's code was made. */
  readonly set: SchemaSet;
  readonly wording: Wording;
  readonly allows: AllowsDefault;
}

/** What to count for a payload of no kind. */
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

/** Gives an acceptor code that notes violations, and what reads them. */
export type BeginNoting = (acceptor: Acceptor, wording: Wording) => NoteTaker;

/** `code`: made from `set`. */
export function notingWith(code: NotingCode, set: SchemaSet, allows: AllowsDefault): BeginNoting {
  return (acceptor, wording) => {
    acceptor.use(code);
    const taker = new NoteTaker(acceptor, { set, wording, allows });
    acceptor.noted = taker;
    return taker;
  };
}

/** Finds violations in payloads, if they are certain from the bytes. */
export class NoteTaker implements NotedRows {
  readonly kinds: readonly string[];
  readonly #acceptor: Acceptor;
  readonly #notes: NoteList;
  readonly #sites: Site[] = [];
  /** By site. */
  readonly #counted: Hidden[] = [];
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
    if (this.#isUnknown(0)) return [[UNKNOWN_KIND, 1]];
    return countsOf(Array.from({ length: this.#notes.rows.length }, (_, row) => this.#siteOf(row)));
  }

  /** Whether the row is about a payload of no kind. */
  #isUnknown(row: number): boolean {
    return this.#notes.rows.number(row, SITE) === this.#notes.sites.length;
  }

  #siteOf(row: number): Site {
    const number = this.#notes.rows.number(row, SITE);
    this.#sites[number] ??= notedSite(this.#notes.sites[number]!, this.#context.allows);
    return this.#sites[number];
  }

  /** The pointer of the value that the row is about; null if it depends on the payload. */
  #pointerOf(row: number): string | null {
    return this.#notes.sites[this.#notes.rows.number(row, SITE)]!.pointer;
  }

  /** Index in the window of the bytes that a row's finding shows. */
  placeOf(row: number): number {
    const isName = !this.#isUnknown(row) && this.#siteOf(row).anchor === 'name';
    return this.#notes.rows.get(row, isName ? A : START);
  }

  /** Gives the findings for rows of a payload, in the order of their places. */
  #findings(bytes: Buffer, span: Span, kind: string | null, seek: Seek): (row: number) => Finding {
    const { wording } = this.#context;
    const context = { wording, bytes, span, suggests: true };
    return (row) => {
      if (this.#isUnknown(row)) return this.#unknownKind(bytes, span, row);
      const found = schemaFinding(this.#faultOf(bytes, span, row, seek), context);
      const read = (): unknown => valueIn(bytes, span.start, span.end);
      return this.#author?.withMessage(found, kind, wording, read) ?? found;
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
    const made = (row: number): Statement => bareStatement(findingOf()(row), kind, 'error');
    return (row) => {
      const key = this.#keyOf(bytes, span, row, seek);
      if (key === null) return { statement: made(row), again: false };
      const slot = this.#notes.rows.number(row, SITE) * (this.kinds.length + 1) + number;
      this.#remembered[slot] ??= new Map();
      const remembered = this.#remembered[slot];
      const known = remembered.get(key);
      if (known !== undefined) return known;
      const again = remembered.size < MOST_REMEMBERED && this.#isSame(bytes, row);
      const noted = { statement: made(row), again };
      if (again) remembered.set(key, noted);
      return noted;
    };
  }

  /** What to count for a row whose finding is not shown. */
  hiddenAt(row: number): Hidden {
    if (this.#isUnknown(row)) return UNKNOWN_KIND;
    const number = this.#notes.rows.number(row, SITE);
    this.#counted[number] ??= hiddenOf(this.#siteOf(row));
    return this.#counted[number];
  }

  spanOf(row: number): Span {
    const { rows } = this.#notes;
    const span = { start: rows.get(row, START), end: rows.get(row, END) };
    if (this.#isUnknown(row)) return span;
    return shownSpan(
      { site: this.#siteOf(row), span, nameSpan: { start: rows.get(row, A), end: rows.get(row, B) } },
      span,
    );
  }

  /** With kind and site, this text determines a finding but for its span. Null: it depends on more. */
  #keyOf(bytes: Buffer, span: Span, row: number, seek: Seek): string | null {
    if (this.#isUnknown(row)) {
      const text = this.#textAt(bytes, row, [START, END]);
      if (text === null) return null;
      const misspelt = this.#misspelt(bytes, span)?.misspelt ?? '';
      return `${this.#notes.rows.number(row, A)} ${misspelt.length} ${misspelt}${text}`;
    }
    const text = this.#textOf(bytes, row, this.#siteOf(row));
    if (text === null || this.#pointerOf(row) !== null) return text;
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
    const site = this.#siteOf(row);
    if (site.anchor !== 'name') return true;
    const name = decodeString(bytes, rows.get(row, A), rows.get(row, B), false);
    return nearMiss(name, Object.keys(site.properties)) === null;
  }

  #unknownKind(bytes: Buffer, payload: Span, row: number): Finding {
    const { rows } = this.#notes;
    const { set, wording } = this.#context;
    const span = this.spanOf(row);
    const name = decidingMembers(set.kinds)[rows.number(row, A)]!; // as the functions were made
    const value = valueIn(bytes, span.start, span.end);
    return wrongMember(set.kinds, { name, value, span, misspelt: this.#misspelt(bytes, payload) }, wording);
  }

  #misspelt(bytes: Buffer, { start, end }: Span): Misspelt | null {
    return misspelt(this.#context.set.kinds, () => memberNames(bytes, start, end));
  }

  /** The fault of a row. Rows come in the order of their places. */
  #faultOf(bytes: Buffer, span: Span, row: number, seek: Seek): Fault {
    const { rows } = this.#notes;
    const site = this.#siteOf(row);
    const [start, a, b] = [rows.get(row, START), rows.get(row, A), rows.get(row, B)];
    const { pointer, value } = this.#valueOf(bytes, span, row, seek);
    return {
      site,
      span: { start, end: rows.get(row, END) },
      nameSpan: { start: a, end: b },
      pointer,
      value: once(value),
      type: typeAt(bytes, start),
      get name() {
        return decodeString(bytes, a, b, bytes.subarray(a, b).includes(BACKSLASH));
      },
      items: [a, b],
    };
  }

  #valueOf(bytes: Buffer, span: Span, row: number, seek: Seek): Followed {
    const { rows } = this.#notes;
    const pointer = this.#pointerOf(row);
    if (pointer === null) return seek(row);
    const start = rows.get(row, START);
    const b = rows.get(row, B);
    if (this.#siteOf(row).facts.rule === 'required') {
      // The names matter only if one of them may be what was meant.
      const names = (): object => Object.fromEntries(memberNames(bytes, start, span.end).map((one) => [one, null]));
      return { pointer, value: b === 0 ? () => NO_NAMES : names };
    }
    const member = b === 0 ? '' : `/${escapeToken(decodeString(bytes, rows.get(row, A), b, false))}`;
    return { pointer: pointer + member, value: () => valueIn(bytes, start, skipValue(bytes, start, span.end)) };
  }
}

type Seek = (row: number) => Followed;

/** Maximum length of a key: bytes of a text, UTF-16 code units of a pointer. */
const LONGEST_KEY = 64;
/** Maximum number of statements that are kept per site. */
const MOST_REMEMBERED = 256;
const ONLY = [0];
const NO_NAMES = {};

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
