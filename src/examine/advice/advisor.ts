/**
 * `--advice`: warnings beyond the schemas about payloads whose kind is known. They are findings like others, with
 * places in the bytes; none is an error unless the config says so. Here is the advice about the kinds `content` and
 * `contract`: members that contradict each other. Values of another type than the schema asks for are violations of
 * the schema.
 */
import { hash } from 'node:crypto';
import { compareNumbers, Decimal, isNumber } from '../../json/decimal.ts';
import { locate } from '../../json/locate.ts';
import { formatPointer } from '../../json/pointer.ts';
import { canonicalText } from '../../json/value.ts';
import type { Kind, SchemaSet } from '../../schema/set.ts';
import type { Finding, Span } from '../../types.ts';
import { adviceSentence, shown } from '../../words/advice.ts';
import { MemberAdvice, memberOf, type Remark } from './member-advice.ts';

/** Maximum number of remarks about the members of one payload: each takes memory. */
const MOST = 10_000;

/** A payload of a known kind, and what was read from its bytes. */
export interface Advised {
  readonly kind: Kind;
  readonly set: SchemaSet;
  readonly value: unknown;
  readonly bytes: Buffer;
  /** Of the payload, in `bytes`. */
  readonly span: Span;
}

export class Advisor {
  readonly #redact: boolean;
  readonly #members: MemberAdvice;

  readonly #identities: boolean;

  /** `redact`: no payload text in messages and params; `identities`: payloads of the same `@id` are compared. */
  constructor(redact: boolean, identities: boolean) {
    this.#redact = redact;
    this.#identities = identities;
    this.#members = new MemberAdvice(MOST, redact);
  }

  /** What a payload is compared by; null: it is not. It must have no duplicate names. */
  identityOf(value: unknown, { bytes, span }: Pick<Advised, 'bytes' | 'span'>): Identity | null {
    return this.#identities ? identityOf(value, bytes, span, this.#redact) : null;
  }

  /** The payload must have no duplicate names. */
  advise({ kind, value, bytes, span }: Advised): Finding[] {
    const remarks = [
      ...remarksOnKind(kind.name, value, this.#redact),
      ...this.#members.remarksOn(kind, value),
    ];
    if (remarks.length === 0) return [];
    const pointers = remarks.map(({ path }) => formatPointer(path));
    const places = locate(bytes, span.start, span.end, pointers);
    return remarks.map((remark, i) => {
      const place = places.get(pointers[i]!)!; // the value was read from these bytes
      return findingOf(remark, pointers[i]!, remark.ofName ? place.name! : place.value);
    });
  }
}

function findingOf(remark: Remark, pointer: string, span: Span): Finding {
  const { rule, params, text = null } = remark;
  const finding = {
    rule,
    params,
    pointer,
    span,
    schema: null,
    fixable: false,
    message: adviceSentence(rule, params as never, text), // they belong together
    suggestion: rule === 'advice/misspelt-member' ? remark.params.known : null,
  };
  return finding as Finding; // the params are of the rule
}

/** Hexadecimal digits of a hash: 64 bits. */
const DIGITS = 16;

export interface Identity {
  /** Hash of the `@id`. */
  readonly id: string;
  /** Hash of the whole payload. */
  readonly content: string;
  /** Of the value of `@id`. */
  readonly span: Span;
  /** The `@id` for a sentence; null: it must not be shown. */
  readonly text: string | null;
}

const POINTER = '/@id';

/**
 * The identity of a payload and its content, as hashes, to compare payloads of one run with the same `@id`. Content
 * is compared as JSON values: white space, escapes, the notation of numbers and the order of members do not matter.
 * Null for a payload without an `@id`, or with a blank one.
 */
export function identityOf(value: unknown, bytes: Buffer, span: Span, redact: boolean): Identity | null {
  const id = memberOf(value, '@id');
  if (typeof id !== 'string' || id.trim() === '') return null;
  const place = locate(bytes, span.start, span.end, [POINTER]).get(POINTER)!; // the value was read from these bytes
  return {
    id: digest(id),
    content: digest(canonicalText(value)),
    span: place.value,
    text: shown(id, redact),
  };
}

function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, DIGITS);
}

/** All remarks about a payload of the kind; `redact`: without its text. */
export function remarksOnKind(kind: string, value: unknown, redact: boolean): Remark[] {
  if (kind === 'content') return remarksOnContent(value, redact);
  return kind === 'contract' ? remarksOnContract(value, redact) : [];
}

function remarksOnContent(value: unknown, redact: boolean): Remark[] {
  const times = instantsOf(value, ['startTime', 'endTime'], redact);
  return [
    ...ageOrder(value, [], redact),
    ...times.remarks,
    ...dateOrder(times.instants, 'startTime', 'endTime'),
    ...replyToSelf(value),
  ];
}

function remarksOnContract(value: unknown, redact: boolean): Remark[] {
  const { remarks, instants } = instantsOf(value, ['startDate', 'endDate', 'effectiveDate'], redact);
  const order = dateOrder(instants, 'startDate', 'endDate');
  return [
    ...ageOrder(memberOf(value, 'coverage'), ['coverage'], redact),
    ...remarks,
    ...order,
    // No date can be within a contract that ends before it starts.
    ...(order.length === 0 ? effectiveDate(instants) : []),
  ];
}

function ageOrder(value: unknown, path: readonly string[], redact: boolean): Remark[] {
  const minAge = memberOf(value, 'minAge');
  const maxAge = memberOf(value, 'maxAge');
  if (!isNumber(minAge) || !isNumber(maxAge) || compareNumbers(minAge, maxAge) <= 0) return [];
  const written = Object.fromEntries(
    Object.entries({ minAge, maxAge }).flatMap(([name, age]) =>
      age instanceof Decimal ? [[name, age.text]] : [],
    ),
  );
  const ages = { minAge: Number(minAge), maxAge: Number(maxAge) };
  const params = redact ? {} : { ...ages, ...(Object.keys(written).length === 0 ? {} : { written }) };
  return [{ rule: 'advice/age-order', params, path: [...path, 'minAge'] }];
}

type Instants = ReadonlyMap<string, Instant>;

/** The members that are dates; and remarks about those that are something else. */
function instantsOf(
  value: unknown,
  names: readonly string[],
  redact: boolean,
): { instants: Instants; remarks: Remark[] } {
  const instants = new Map<string, Instant>();
  const remarks: Remark[] = [];
  for (const name of names) {
    const text = memberOf(value, name);
    // There is advice about blank texts already.
    if (typeof text !== 'string' || text.trim() === '') continue;
    const instant = instantOf(text);
    if (instant !== null) instants.set(name, instant);
    else remarks.push({ rule: 'advice/date-time', params: {}, text: shown(text, redact), path: [name] });
  }
  return { instants, remarks };
}

function dateOrder(instants: Instants, start: string, end: string): Remark[] {
  const from = instants.get(start);
  const to = instants.get(end);
  if (from === undefined || to === undefined || !isBefore(to, from)) return [];
  return [{ rule: 'advice/date-order', params: { start, end }, path: [end] }];
}

function effectiveDate(instants: Instants): Remark[] {
  const date = instants.get('effectiveDate');
  const from = instants.get('startDate');
  const to = instants.get('endDate');
  if (date === undefined) return [];
  const isEarly = from !== undefined && isBefore(date, from);
  const isLate = to !== undefined && isBefore(to, date);
  if (!isEarly && !isLate) return [];
  const limit = isEarly ? 'startDate' : 'endDate';
  return [{ rule: 'advice/effective-date', params: { limit }, path: ['effectiveDate'] }];
}

function replyToSelf(value: unknown): Remark[] {
  const id = memberOf(value, '@id');
  if (typeof id !== 'string' || memberOf(memberOf(value, 'replyTo'), '@id') !== id) return [];
  return [{ rule: 'advice/reply-to-self', params: {}, path: ['replyTo', '@id'] }];
}

/** A point in time. */
export interface Instant {
  /** Since 1970-01-01T00:00:00Z. */
  readonly seconds: number;
  /** Decimals of the second, without trailing zeros. */
  readonly fraction: string;
}

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/i;

/**
 * The point in time that a date and time of RFC 3339, section 5.6, names; null if `text` is none, or if its day does
 * not exist.
 */
function instantOf(text: string): Instant | null {
  const match = DATE_TIME.exec(text);
  if (match === null) return null;
  const numbers = [1, 2, 3, 4, 5, 6].map((group) => Number(match[group]));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // Date replaces a day that does not exist by another one.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const offset = (match[8] === '-' ? -60 : 60) * (60 * offsetHours + offsetMinutes);
  const minutes = date.getTime() / 1000 + 3600 * hour + 60 * minute - offset;
  // A leap second is the last of a day, in UTC.
  if (second === 60 && (minutes + 60) % 86_400 !== 0) return null;
  return { seconds: minutes + second, fraction: (match[7] ?? '').replace(/0+$/, '') };
}

export function isBefore(a: Instant, b: Instant): boolean {
  return a.seconds === b.seconds ? a.fraction < b.fraction : a.seconds < b.seconds;
}
