/**
 * Values of JSON as CEL has them: numbers that the schema calls integers are of the type int, all others doubles.
 */
import { Decimal } from '../json/decimal.ts';
import { isJsonObject } from '../json/value.ts';
import type { Shape } from './shape.ts';

/** An integer that int64 does not hold. CEL knows nothing of its type, so each evaluation that uses it fails. */
class BeyondInt64 {}

const BEYOND = new BeyondInt64();
const MOST = 2n ** 63n;

/** The value itself, if nothing in it is different. `shape`: null: the schema says nothing about it. */
export function toCel(value: unknown, shape: Shape | null): unknown {
  if (typeof value === 'number')
    return shape?.isInteger && Number.isInteger(value) ? int(BigInt(value)) : value;
  if (value instanceof Decimal) return shape?.isInteger ? (whole(value) ?? value.double) : value.double;
  if (Array.isArray(value)) {
    const item = shape?.item ?? null;
    const items = value.map((one) => toCel(one, item));
    return items.every((one, i) => one === value[i]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  let copy: Record<string, unknown> | null = null;
  for (const [name, inner] of Object.entries(value)) {
    const own = toCel(inner, shape?.member(name) ?? null);
    if (own === inner) continue;
    copy ??= { ...value };
    Object.defineProperty(copy, name, { value: own, enumerable: true, writable: true, configurable: true });
  }
  return copy ?? value;
}

function int(value: bigint): bigint | BeyondInt64 {
  return value >= -MOST && value < MOST ? value : BEYOND;
}

/** Null: it is not a whole number. */
function whole(value: Decimal): bigint | BeyondInt64 | null {
  const digits = wholeText(value.text);
  return digits === null ? null : int(BigInt(digits));
}

/** The digits of a number without decimals; null: it has some. Longer ones are cut: they are beyond int64 anyway. */
function wholeText(text: string): string | null {
  const [, sign = '', digits = '', decimals = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = digits + decimals;
  const point = digits.length + Number(exponent);
  if (!/^0*$/.test(all.slice(Math.max(0, point)))) return null;
  return (
    sign +
    (all.slice(0, Math.max(0, point)) || '0') +
    '0'.repeat(Math.min(30, Math.max(0, point - all.length)))
  );
}
