/**
 * Findings of violations that were noted from the bytes, without reading the payload as a value: the same as those of
 * the full examination.
 */

import type { Noter } from '../accept/noter.ts';
import type { NoteSite } from '../accept/notes.ts';
import { Follower } from '../json/follow.ts';
import { escapeToken } from '../json/pointer.ts';
import { decodeString } from '../json/scan.ts';
import { skipValue } from '../json/skip.ts';
import { skipSpace } from '../json/space.ts';
import type { SchemaSet } from '../schema/load.ts';
import { type AjvError, schemaFacts } from '../schema/schema-facts.ts';
import type { Finding, Span } from '../types.ts';
import type { SchemaFacts } from '../words/params.ts';
import { ascending } from './ascending.ts';
import type { Examined } from './examine.ts';
import { hiddenOf } from './found.ts';
import { A, B, type RowFacts, SITE, START } from './records.ts';
import { type Errors, type SiteList, schemaFinding, shownAt } from './schema-findings.ts';
import { type Site, siteFor } from './sites.ts';

export interface NotedContext {
  /** The schemas for which the noter was made. */
  readonly set: SchemaSet;
  readonly redact: boolean;
}

/** The sites of a noter. */
export class NotedSites implements SiteList {
  readonly #noted: readonly NoteSite[];
  readonly #set: SchemaSet;
  readonly #sites: Site[] = [];

  constructor({ sites }: Noter, set: SchemaSet) {
    this.#noted = sites;
    this.#set = set;
  }

  at(site: number): Site {
    this.#sites[site] ??= siteOf(this.#noted[site]!, this.#set);
    return this.#sites[site];
  }

  /** The pointer of the value that the site is about; null if it depends on the payload. */
  pointerOf(site: number): string | null {
    return this.#noted[site]!.pointer;
  }
}

function siteOf({ schema, keyword, missing }: NoteSite, set: SchemaSet): Site {
  const value = schema[keyword];
  const facts = factsOf(keyword, value, missing);
  const place = { facts, schemaPath: `#/${keyword}`, schema: value, parentSchema: schema, isOfName: false };
  return siteFor(place, set);
}

/** The facts that Ajv's error would have: its params, as the schema gives them. */
function factsOf(keyword: string, value: unknown, missing: string | null): SchemaFacts {
  return schemaFacts({ keyword, params: paramsOf(keyword, value, missing) } as AjvError, undefined); // a keyword that can be noted
}

/** The params of Ajv's error. */
function paramsOf(keyword: string, value: unknown, missing: string | null): Record<string, unknown> {
  switch (keyword) {
    case 'required':
      return { missingProperty: missing };
    case 'enum':
      return { allowedValues: value };
    case 'const':
      return { allowedValue: value };
    case 'type':
    case 'multipleOf':
    case 'pattern':
      return { [keyword]: value };
    case 'additionalProperties':
      return {};
    default:
      return { limit: value };
  }
}

/** A payload in the window. */
export interface NotedPayload {
  readonly bytes: Buffer;
  readonly span: Span;
  /** Violations are only counted. */
  readonly hides: boolean;
  /** The bytes are known to be UTF-8. */
  readonly isUtf8: boolean;
}

/** Finds what is wrong with payloads, as far as that is certain from their bytes. */
export class NoteTaker {
  readonly #noter: Noter;
  readonly #sites: NotedSites;
  readonly #context: NotedContext;

  constructor(noter: Noter, context: NotedContext) {
    this.#noter = noter;
    this.#sites = new NotedSites(noter, context.set);
    this.#context = context;
  }

  /** Null if only examine can say what is wrong, or if nothing is. */
  take({ bytes, span, hides, isUtf8 }: NotedPayload): Examined | null {
    const kind = this.#noter.find(bytes, span, isUtf8);
    const { rows } = this.#noter;
    if (kind === null || rows.length === 0) return null;
    const errors: Errors = { rows, sites: this.#sites, elsewhere: [] };
    const examined = { kind, fills: [], wellFormed: true } as const;
    if (hides) return { ...examined, findings: [], hidden: hiddenOf(errors, (hidden) => hidden) };
    const { set, redact } = this.#context;
    const context = { locations: set.locations, redact, bytes, span, suggests: true };
    const order = rows.length === 1 ? ONLY : ascending(rows.length, (row) => shownAt(errors, row));
    const findings: Finding[] = [];
    let follower: Follower | null = null;
    for (const row of order) {
      const facts = this.#factsOf(bytes, span, row);
      follower ??= facts === null ? followerOf(bytes, span) : null;
      findings.push(schemaFinding(errors, row, facts ?? follower!.seek(shownAt(errors, row)), context));
    }
    return { ...examined, findings, hidden: [] };
  }

  /** The pointer and the value of a row; null if the pointer is not known. */
  #factsOf(bytes: Buffer, { end }: Span, row: number): RowFacts | null {
    const { rows } = this.#noter;
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

const ONLY = [0];
const NO_NAMES = {};

function followerOf(bytes: Buffer, { start, end }: Span): Follower {
  return new Follower(bytes, start, end, valueIn(bytes, start, end));
}

/** The value at the start of a span, read when it is needed; `namesOnly`: an object whose values do not matter. */
class NotedFacts implements RowFacts {
  readonly pointer: string;
  readonly #bytes: Buffer;
  readonly #from: Span;
  readonly #namesOnly: boolean;
  #value: unknown;
  #isRead = false;

  constructor(pointer: string, bytes: Buffer, from: Span, namesOnly: boolean) {
    this.#namesOnly = namesOnly;
    this.pointer = pointer;
    this.#bytes = bytes;
    this.#from = from;
  }

  get value(): unknown {
    if (!this.#isRead) {
      const { start, end } = this.#from;
      this.#value = this.#namesOnly
        ? Object.fromEntries(memberNames(this.#bytes, start, end).map((name) => [name, null]))
        : valueIn(this.#bytes, start, skipValue(this.#bytes, start, end));
      this.#isRead = true;
    }
    return this.#value;
  }
}

/** The names of the members of the well-formed object at `start`. */
function memberNames(bytes: Buffer, start: number, end: number): string[] {
  const names: string[] = [];
  for (let at = skipSpace(bytes, start + 1, end); bytes[at] !== CLOSE; ) {
    const nameEnd = skipValue(bytes, at, end);
    names.push(decodeString(bytes, at, nameEnd, false));
    const value = skipSpace(bytes, skipSpace(bytes, nameEnd, end) + 1, end);
    const after = skipSpace(bytes, skipValue(bytes, value, end), end);
    at = bytes[after] === CLOSE ? after : skipSpace(bytes, after + 1, end);
  }
  return names;
}

const CLOSE = 0x7d;

function valueIn(bytes: Buffer, start: number, end: number): unknown {
  return JSON.parse(bytes.toString('utf8', start, end));
}
