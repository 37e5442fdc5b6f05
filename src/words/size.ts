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

const FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1 << 10, m: 1 << 20, g: 1 << 30 };

/** `65536`, `64K`, `64M` or `1G`, in bytes; NaN for another text. */
export function sizeFrom(text: string): number {
  const [, digits = '', unit = ''] = /^(\d+)([kmg]?)$/i.exec(text) ?? [];
  return digits === '' ? Number.NaN : Number(digits) * FACTORS[unit.toLowerCase()]!;
}
