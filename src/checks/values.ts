/**
 * Values of JSON as CEL has them: numbers that the schema calls integers are of the type int, all others doubles. The places
 * that the pointer of a check leads to. And `sum`, exact on the decimals as they are written, where the sum of doubles is not.
 */
import { Decimal, isInteger } from '../json/decimal.ts';
import { isIndexName } from '../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import type { Shape } from './shape.ts';

/** An integer that int64 does not hold. CEL knows nothing of its type, so each evaluation that uses it fails. */
class BeyondInt64 {}

const BEYOND = new BeyondInt64();
const MOST = 2n ** 63n;

/** The value itself, if nothing in it is different. `shape`: null: the schema says nothing about it. */
export function toCel(value: unknown, shape: Shape | null): unknown {
  if (typeof value === 'number') return shape?.isInteger && Number.isInteger(value) ? int(BigInt(value)) : value;
  if (value instanceof Decimal) return shape?.isInteger ? (whole(value) ?? value.double) : value.double;
  if (Array.isArray(value)) return listToCel(value, shape?.item ?? null);
  return isJsonObject(value) ? objectToCel(value, shape) : value;
}

function listToCel(list: readonly unknown[], item: Shape | null): readonly unknown[] {
  let copy: unknown[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const own = toCel(list[i], item);
    if (own === list[i]) continue;
    copy ??= [...list];
    copy[i] = own;
  }
  return copy ?? list;
}

function objectToCel(object: JsonObject, shape: Shape | null): JsonObject {
  let copy: JsonObject | null = null;
  for (const name of Object.keys(object)) {
    const inner = object[name];
    // Most members are texts.
    if (typeof inner === 'string' || typeof inner === 'boolean' || inner === null) continue;
    const own = toCel(inner, shape?.member(name) ?? null);
    if (own === inner) continue;
    copy ??= { ...object };
    Object.defineProperty(copy, name, { value: own, enumerable: true, writable: true, configurable: true });
  }
  return copy ?? object;
}

function int(value: bigint): bigint | BeyondInt64 {
  return value >= -MOST && value < MOST ? value : BEYOND;
}

/** Null: it is not a whole number. */
function whole(value: Decimal): bigint | BeyondInt64 | null {
  if (!isInteger(value)) return null;
  const { isNegative, digits, exponent } = Decimal.partsOf(value);
  // More zeros are cut: with these, it is beyond int64 anyway.
  const text = digits + '0'.repeat(Math.min(30, exponent - digits.length));
  return int(BigInt(isNegative ? `-${text}` : text));
}

type Tokens = readonly string[];

/** The places that a pattern leads to; `*` is every item of an array. */
export function placesOf(root: unknown, pattern: Tokens): Tokens[] {
  let places: { readonly tokens: Tokens; readonly value: unknown }[] = [{ tokens: [], value: root }];
  for (const token of pattern)
    places = places.flatMap(({ tokens, value }) => {
      if (token === '*' && Array.isArray(value))
        return value.map((item: unknown, i) => ({ tokens: [...tokens, String(i)], value: item }));
      const inner = inside(value, token);
      return inner === undefined ? [] : [{ tokens: [...tokens, token], value: inner }];
    });
  return places.map(({ tokens }) => tokens);
}

/** Undefined if there is nothing. */
export function inside(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return isIndexName(token) ? value[Number(token)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

/** The sum of a list of numbers, an int if all of them are. Throws an Error for a list of anything else. */
export function sumOf(list: readonly unknown[]): number | bigint {
  let sum = { digits: 0n, decimals: 0 };
  let isWhole = true;
  for (const one of list) {
    if (typeof one !== 'bigint' && (typeof one !== 'number' || !Number.isFinite(one)))
      throw new Error('sum takes a list of numbers');
    isWhole &&= typeof one === 'bigint';
    sum = added(sum, decimalOf(String(one)));
  }
  const { digits, decimals } = sum;
  if (isWhole) {
    if (digits !== BigInt.asIntN(64, digits)) throw new Error('integer overflow');
    return digits;
  }
  return Number(`${digits}e-${decimals}`);
}

/** `digits` divided by ten to the power of `decimals`. */
interface Sum {
  readonly digits: bigint;
  readonly decimals: number;
}

function decimalOf(text: string): Sum {
  const [mantissa = '', exponent = '0'] = text.split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const decimals = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return decimals >= 0 ? { digits, decimals } : { digits: digits * 10n ** BigInt(-decimals), decimals: 0 };
}

function added(a: Sum, b: Sum): Sum {
  if (a.decimals < b.decimals) return added(b, a);
  return { digits: a.digits + b.digits * 10n ** BigInt(a.decimals - b.decimals), decimals: a.decimals };
}
