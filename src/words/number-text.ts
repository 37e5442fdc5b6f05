/** Numbers and sizes for people, the same in every locale: `1,234`, `1 payload`, `0.3 s`, `64 MiB`. */

/** `1,234,567` */
export function number(value: number): string {
  // Most are small, and compiling the expression takes as long as checking a small payload.
  if (value < 1000) return String(value);
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 payload`, `2 payloads` */
export function plural(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `23 ms`, `0.3 s`, `2 min 5 s` */
export function duration(milliseconds: number): string {
  if (milliseconds < 99.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${number(Math.floor(seconds / 60))} min ${seconds % 60} s`;
}

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
