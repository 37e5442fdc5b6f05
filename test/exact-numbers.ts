/**
 * Numbers of JSON texts as big integers: what tests compare other arithmetic with.
 */

/** A number is divided by ten to the power of minus this, which makes an integer of each that tests have. */
export const SHIFT = 420;

export function asBigInt(text: string): bigint {
  const [, sign, whole = '', fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text)!; // a number
  return BigInt(`${sign}${whole}${fraction}${'0'.repeat(SHIFT + Number(power) - fraction.length)}`);
}
