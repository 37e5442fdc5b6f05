/**
 * The function `sum` of checks: exact on the decimals as they are written, where the sum of doubles is not.
 */

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
