/**
 * Decimal arithmetic with numbers of any size, as JSON writes them.
 */

/** `mantissa` times ten to the power of `exponent`; the mantissa does not end with a zero, unless it is 0. */
interface Decimal {
  readonly mantissa: bigint;
  readonly exponent: number;
}

/**
 * Whether `value` is `divisor` times an integer: JSON Schema 2020-12 validation, section 6.2.1. `text`: the value's
 * text in JSON, if a double may have lost digits; otherwise the shortest text of the double is used.
 */
export function isMultipleOf(value: number, divisor: number, text = String(value)): boolean {
  if (Number.isSafeInteger(divisor) && Number.isSafeInteger(value) && String(value) === text) {
    return value % divisor === 0;
  }
  if (!Number.isFinite(value)) return false;
  const dividend = parseDecimal(text);
  if (dividend.mantissa === 0n) return true;
  const by = parseDecimal(String(divisor));
  const shift = dividend.exponent - by.exponent;
  if (shift >= 0) return (dividend.mantissa * powerOfTen(shift, by.mantissa)) % by.mantissa === 0n;
  // The mantissa would have to end with zeros.
  return false;
}

/** `text`: a number in JSON's grammar, or as JavaScript prints it. */
function parseDecimal(text: string): Decimal {
  const [, sign, whole, fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(
    text,
  )!;
  const all = whole! + fraction;
  const digits = all.replace(/0+$/, '');
  const exponent = Number(power) - fraction.length + (all.length - digits.length);
  return { mantissa: BigInt(`${sign}${digits === '' ? '0' : digits}`), exponent };
}

/** Ten to the power of `exponent`, modulo `modulus`. */
function powerOfTen(exponent: number, modulus: bigint): bigint {
  let result = 1n;
  let base = 10n % modulus;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = (result * base) % modulus;
    base = (base * base) % modulus;
  }
  return result;
}
