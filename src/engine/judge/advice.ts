/**
 * `--advice`: warnings beyond the schemas about payloads whose kind is known. They are findings like others, with
 * places in the bytes; none is an error unless the config says so. Values of another type than the schema asks for are
 * violations of the schema, not advice.
 *
 * There is advice about the kinds `content` and `contract` (members that contradict each other), and about the members
 * of any kind, as far as its schema describes them with `properties` and `items`: names that are nearly those of the
 * schema, and texts of white space only.
 */
import { hash } from 'node:crypto';
import { compareNumbers, Decimal, isNumber } from '../../json/decimal.ts';
import { locate } from '../../json/locate.ts';
import { formatPointer } from '../../json/pointer.ts';
import { canonicalText, isJsonObject, type JsonObject } from '../../json/value.ts';
import { childrenOf, type Member, memberAt } from '../../schema/described-members.ts';
import type { SchemaNode } from '../../schema/node.ts';
import type { Kind, SchemaSet } from '../../schema/set.ts';
import type { Finding, Span } from '../../types.ts';
import { type AdviceParams, type AdviceRule, adviceSentence, shown } from '../../words/advice.ts';
import { nearMiss } from '../../words/near.ts';

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

/** What is known about the values of a schema. */
interface Described {
  readonly members: ReadonlyMap<string, Member>;
  readonly items: Member | null;
  /** Other members are allowed, and only `properties` names members. */
  readonly isOpen: boolean;
}

/** With one of these keywords, a schema can describe or forbid other members. */
const OTHER_MEMBERS = [
  'patternProperties',
  'propertyNames',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'dependentSchemas',
  'dependencies',
  '$dynamicRef',
  '$recursiveRef',
];

/** Names that begin with `@` and that JSON-LD 1.1 gives a meaning (section 1.7). They are not misspelt. */
const KEYWORDS = new Set(
  (
    '@base @container @context @direction @graph @id @import @included @index @json @language @list @nest @none @prefix ' +
    '@propagate @protected @reverse @set @type @value @version @vocab'
  ).split(' '),
);

/** Makes remarks about one payload after another, at most `most` for each. */
export class MemberAdvice {
  readonly #most: number;
  readonly #redact: boolean;
  readonly #roots = new Map<Kind, Member | null>();
  readonly #described = new Map<SchemaNode, Described>();

  constructor(most: number, redact: boolean) {
    this.#most = most;
    this.#redact = redact;
  }

  remarksOn(kind: Kind, value: unknown): Remark[] {
    let root = this.#roots.get(kind);
    if (root === undefined) {
      root = memberAt(kind, []);
      this.#roots.set(kind, root);
    }
    const remarks: Remark[] = [];
    if (root !== null) this.#visit(value, root, { path: [], remarks });
    return remarks;
  }

  #visit(value: unknown, member: Member, at: Visit): void {
    if (at.remarks.length >= this.#most) return;
    if (typeof value === 'string') {
      if (isBlank(value, member.schema)) at.remarks.push({ rule: 'advice/blank', params: {}, path: at.path });
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const described = this.#describe(member);
    if (isJsonObject(value)) {
      for (const [name, child] of Object.entries(value)) {
        const known = described.members.get(name);
        if (known !== undefined) this.#visit(child, known, { ...at, path: [...at.path, name] });
        else if (described.isOpen) this.#misspelt(value, name, described, at);
      }
    } else if (Array.isArray(value) && described.items !== null) {
      for (let i = 0; i < value.length && at.remarks.length < this.#most; i++)
        this.#visit(value[i], described.items, { ...at, path: [...at.path, i] });
    }
  }

  #misspelt(value: JsonObject, name: string, { members }: Described, { path, remarks }: Visit): void {
    if (KEYWORDS.has(name) || remarks.length >= this.#most) return;
    const missing = [...members.keys()].filter((known) => !Object.hasOwn(value, known));
    const known = nearMiss(name, missing);
    if (known === null) return;
    const text = shown(name, this.#redact);
    remarks.push({
      rule: 'advice/misspelt-member',
      params: { known },
      text,
      path: [...path, name],
      ofName: true,
    });
  }

  #describe(member: Member): Described {
    const { schema } = member;
    let described = this.#described.get(schema);
    if (described === undefined) {
      const members = new Map<string, Member>();
      let items: Member | null = null;
      const names = Object.keys(schema.properties ?? {});
      for (const [i, child] of childrenOf({ ...member, path: '' }).entries()) {
        const name = names[i];
        if (name === undefined) items = child;
        else members.set(name, child);
      }
      const { additionalProperties: additional = true, unevaluatedProperties: others = true } = schema;
      const isOpen =
        additional === true && others === true && OTHER_MEMBERS.every((word) => !(word in schema));
      described = { members, items, isOpen };
      this.#described.set(schema, described);
    }
    return described;
  }
}

interface Visit {
  readonly path: Path;
  readonly remarks: Remark[];
}

/** Values with an `enum` or `const` are checked by the schema. */
function isBlank(text: string, schema: SchemaNode): boolean {
  return text !== '' && text.trim() === '' && schema.enum === undefined && schema.const === undefined;
}

/** From the payload's root. */
export type Path = readonly (string | number)[];

interface RemarkOf<R extends AdviceRule> {
  readonly rule: R;
  readonly params: AdviceParams[R];
  /** What it is about, quoted; absent or null: nothing, or it must not be shown. */
  readonly text?: string | null;
  readonly path: Path;
  /** It is about the name of the member, not about its value. */
  readonly ofName?: true;
}

/** `advice/id-conflict` is about two payloads, so no remark on one of them. */
export type Remark = {
  readonly [R in Exclude<AdviceRule, 'advice/id-conflict'>]: RemarkOf<R>;
}[Exclude<AdviceRule, 'advice/id-conflict'>];

/** The value of the object's own member; undefined if there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
