/**
 * Parsed JSON values: their type, and their equality as JSON Schema defines it: numbers by value (`-0` equals `0`), objects in
 * any order of members. It is safe for every member name: only own properties count, and no function in a value is called.
 * https://json-schema.org/draft/2020-12/json-schema-core#section-4.2.2
 */
import { Decimal, exactValue, isNumber, type JsonNumber } from './decimal.ts';
import { entryOf } from './on-demand.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object: neither an array nor a number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}

/** A deep copy with doubles, as JSON.parse makes it, that nobody can change. */
export function frozenCopy(value: unknown): unknown {
  if (!isContainer(value)) return value;
  if (value instanceof Decimal) return value.double;
  const copy: object = Array.isArray(value) ? [] : {};
  for (const [name, inner] of Object.entries(value))
    setMember(copy as Record<string, unknown>, name, frozenCopy(inner)); // of an index, too
  return Object.freeze(copy);
}

/** Adds a member. `__proto__` is a name like any other. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** True for an object or an array. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether two values that came from JSON are equal. Their numbers are `JsonNumber`s. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (a instanceof Decimal || b instanceof Decimal)
    return a instanceof Decimal && b instanceof Decimal && a.key === b.key;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => jsonEqual(item, b[i]));
  }
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && jsonEqual((a as JsonObject)[name], (b as JsonObject)[name]));
}

/** Whether `value` equals one of `values`. */
export function isAmong(value: unknown, values: readonly unknown[]): boolean {
  return values.some((one) => jsonEqual(value, one));
}

/** A map hashes longer texts by their length alone. */
const PIECE = 4000;

/**
 * Gives values texts that are the same only for equal values. Each container is read once and then known by a number, so
 * comparing the items of all arrays of a payload takes time in proportion to its text, however deep they are nested. No
 * text is one of digits only: those have the same hashes in every process, so that a payload could be made of equal ones.
 */
export class ValueTexts {
  readonly #numbers = new Map<string, number>();
  readonly #texts = new Map<object, string>();

  /** The first item that equals an earlier one, as indexes `[earlier, later]`; null if all items differ. */
  repeatedItems(items: readonly unknown[]): readonly [number, number] | null {
    const seen = new Map<string, number>();
    for (const [i, item] of items.entries()) {
      const text = this.#short(this.#textOf(item));
      const earlier = seen.get(text);
      if (earlier !== undefined) return [earlier, i];
      seen.set(text, i);
    }
    return null;
  }

  /** Forgets all values. */
  clear(): void {
    if (this.#texts.size > 0) this.#texts.clear();
    if (this.#numbers.size > 0) this.#numbers.clear();
  }

  #textOf(value: unknown): string {
    if (typeof value === 'number') return `#${value === 0 ? 0 : value}`;
    if (!isContainer(value)) return JSON.stringify(value);
    if (value instanceof Decimal) return value.key;
    let text = this.#texts.get(value);
    if (text === undefined) {
      text = `@${this.#numberOf(this.#containerText(value))}`;
      this.#texts.set(value, text);
    }
    return text;
  }

  #containerText(value: object): string {
    if (Array.isArray(value)) return `[${value.map((item) => this.#textOf(item)).join()}`;
    const names = Object.keys(value).sort();
    const members = names.map((name) => `${JSON.stringify(name)}:${this.#textOf((value as JsonObject)[name])}`);
    return `{${members.join()}`;
  }

  #numberOf(text: string): number {
    return entryOf(this.#numbers, this.#short(text), () => this.#numbers.size);
  }

  /** A long text as the numbers of its pieces. */
  #short(text: string): string {
    if (text.length <= PIECE) return text;
    const pieces: number[] = [];
    for (let at = 0; at < text.length; at += PIECE - 1)
      pieces.push(this.#numberOf(`.${text.slice(at, at + PIECE - 1)}`));
    return this.#short(`+${pieces.join()}`);
  }
}

/** The value as JSON text without white space; numbers that are no doubles as they are written. */
export function writtenText(value: unknown): string {
  const out: string[] = [];
  writeText(value, out, { number: (number) => String(number), names: Object.keys });
  return out.join('');
}

/** The value of a JSON text in doubles, and the text if that loses digits. */
export function valueWritten(text: string): { readonly value: unknown; readonly written?: string } {
  const value: unknown = JSON.parse(text);
  const written = writtenText(exactValue(text));
  return written === writtenText(value) ? { value } : { value, written };
}

/** A text that is the same for equal values, and for no others. */
export function canonicalText(value: unknown): string {
  const out: string[] = [];
  const number = (one: JsonNumber): string => (one instanceof Decimal ? one.key : String(one === 0 ? 0 : one));
  writeText(value, out, { number, names: (object) => Object.keys(object).sort() });
  return out.join('');
}

interface TextForm {
  readonly number: (value: JsonNumber) => string;
  /** The names of an object in the order of the text. */
  readonly names: (object: object) => readonly string[];
}

/** An object or an array of which the text has begun. */
interface OpenText {
  readonly value: object;
  /** Null for an array. */
  readonly names: readonly string[] | null;
  readonly length: number;
  /** The number of the child that comes next. */
  next: number;
}

/** Adds the text of a value to `out`, piece by piece, so that no level copies the text of those inside. */
function writeText(value: unknown, out: string[], form: TextForm): void {
  const open: OpenText[] = []; // not recursive: payloads may be deep
  begin(value, open, out, form);
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const { names, length, next } = last;
    if (next === length) {
      out.push(names === null ? ']' : '}');
      open.pop();
      continue;
    }
    last.next++;
    if (next > 0) out.push(',');
    if (names !== null) out.push(JSON.stringify(names[next]), ':');
    const child = names === null ? (last.value as readonly unknown[])[next] : (last.value as JsonObject)[names[next]!];
    begin(child, open, out, form);
  }
}

/** Adds a scalar, or the bracket that opens a container. */
function begin(value: unknown, open: OpenText[], out: string[], form: TextForm): void {
  if (isNumber(value)) out.push(form.number(value));
  else if (!isContainer(value)) out.push(JSON.stringify(value));
  else {
    const names = Array.isArray(value) ? null : form.names(value);
    out.push(names === null ? '[' : '{');
    open.push({ value, names, length: names?.length ?? (value as readonly unknown[]).length, next: 0 });
  }
}

/** Most bytes of a code unit, which may be escaped, and of the characters around a string. */
const CHARACTER = 6;
const AROUND = 4;
/** Most bytes of a number, `false` or `null`, with the characters around it. */
const SCALAR = 32;
const UNMEASURED = -1;
const { prototype: ROOT, getOwnPropertyNames, getPrototypeOf } = Object;

/**
 * `bytes` without an upper bound for those of the value as text; negative for more, and for a value that JSON.stringify
 * does not write member by member, or not completely: with `toJSON`, a class, hidden members, half a surrogate pair, or a
 * value that JSON does not have.
 */
export function bytesLeft(value: unknown, levels: number, bytes: number): number {
  return isContainer(value) ? leftBy(value, levels, bytes - AROUND) : leftByScalar(value, bytes);
}

function leftByScalar(value: unknown, bytes: number): number {
  if (typeof value === 'string') return value.isWellFormed() ? bytes - CHARACTER * value.length - AROUND : UNMEASURED;
  if (typeof value === 'number') return Number.isFinite(value) ? bytes - SCALAR : UNMEASURED;
  return typeof value === 'boolean' || value === null ? bytes - SCALAR : UNMEASURED;
}

function leftBy(container: object, levels: number, bytes: number): number {
  if (levels === 0) return UNMEASURED;
  let left = bytes;
  if (getPrototypeOf(container) !== ROOT) {
    if (!Array.isArray(container) || 'toJSON' in container) return UNMEASURED;
    for (let i = 0; i < container.length && left >= 0; i++) left = bytesLeft(container[i], levels - 1, left);
    return left;
  }
  let members = 0;
  for (const name in container) {
    const value = (container as JsonObject)[name];
    if (!name.isWellFormed()) return UNMEASURED;
    left -= CHARACTER * name.length + AROUND;
    // Both are called here, so that a scalar takes one call.
    left = isContainer(value) ? leftBy(value, levels - 1, left - AROUND) : leftByScalar(value, left);
    if (left < 0) return UNMEASURED;
    members++;
  }
  return members === getOwnPropertyNames(container).length ? left : UNMEASURED; // none is hidden
}
