/**
 * Sizes in bytes, as people write them: `64 MiB`.
 */

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'] as const;

/** `64 MiB` for 67108864, `1 byte`, `1500 bytes`: in the largest unit that gives a whole number. */
export function sizeText(bytes: number): string {
  let number = bytes;
  let unit = 0;
  while (number >= 1024 && number % 1024 === 0 && unit < UNITS.length - 1) {
    number /= 1024;
    unit++;
  }
  return number === 1 && unit === 0 ? '1 byte' : `${number} ${UNITS[unit]}`;
}
