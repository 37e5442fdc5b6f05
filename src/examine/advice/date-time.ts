/**
 * Dates and times of RFC 3339, section 5.6, as points in time that can be compared. Days that do not exist are invalid.
 */

/** A point in time. */
export interface Instant {
  /** Since 1970-01-01T00:00:00Z. */
  readonly seconds: number;
  /** Decimals of the second, without trailing zeros. */
  readonly fraction: string;
}

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/i;

/** Null if `text` is not a `date-time`. */
export function instantOf(text: string): Instant | null {
  const match = DATE_TIME.exec(text);
  if (match === null) return null;
  const numbers = [1, 2, 3, 4, 5, 6].map((group) => Number(match[group]));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // Date replaces a day that does not exist by another one.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const offset = (match[8] === '-' ? -60 : 60) * (60 * offsetHours + offsetMinutes);
  const minutes = date.getTime() / 1000 + 3600 * hour + 60 * minute - offset;
  // A leap second is the last of a day, in UTC.
  if (second === 60 && (minutes + 60) % 86_400 !== 0) return null;
  return { seconds: minutes + second, fraction: (match[7] ?? '').replace(/0+$/, '') };
}

export function isBefore(a: Instant, b: Instant): boolean {
  return a.seconds === b.seconds ? a.fraction < b.fraction : a.seconds < b.seconds;
}
