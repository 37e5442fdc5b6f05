/** Numbers as people read them: `1,234`, `1 payload`, `0.3 s`. The same in every locale, so that reports can be compared. */

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
