/**
 * Formats as patterns. Each matches only texts that the format's check in examine accepts, but not all of them. A text
 * that does not match is unsure. For some formats there is a second pattern, which every valid text matches: a text
 * that does not match that one is surely invalid.
 */

/** Alternatives. */
const any = (...options: string[]): string => `(?:${options.join('|')})`;

const DAY = any(
  `${any('0[13578]', '1[02]')}-${any('0[1-9]', '[12]\\d', '3[01]')}`,
  `${any('0[469]', '11')}-${any('0[1-9]', '[12]\\d', '30')}`,
  `02-${any('0[1-9]', '1\\d', '2[0-8]')}`,
);
const LEAP_YEAR = any('\\d\\d(?:0[48]|[2468][048]|[13579][26])', '(?:[02468][048]|[13579][26])00');
const DATE = any(`\\d{4}-${DAY}`, `${LEAP_YEAR}-02-29`);
const HOUR = any('[01]\\d', '2[0-3]');
/** With more digits, 59.999… seconds are 60 in a double, which examine refuses. */
const FRACTION = '(?:\\.\\d{1,12})?';
const TIME = `${HOUR}:[0-5]\\d:[0-5]\\d${FRACTION}${any('[Zz]', `[+\\-]${HOUR}(?::?[0-5]\\d)?`)}`;

// RFC 3986, with ASCII only. `encoded` is a percent-encoded byte.
const encoded = '%[0-9A-Fa-f]{2}';
const unit = (characters: string): string => any(`[A-Za-z0-9\\-._~!$&'()*+,;=${characters}]`, encoded);
const segments = `(?:\\/${unit(':@')}*)*`;
const authority = `(?:${unit(':')}*@)?${unit('')}*(?::\\d*)?`;
const rooted = any(`\\/\\/${authority}${segments}`, `\\/(?:${unit(':@')}+${segments})?`);
const rest = `(?:\\?${unit(':@\\/?')}*)?(?:#${unit(':@\\/?')}*)?`;
const scheme = '[A-Za-z][A-Za-z0-9+\\-.]*:';
const path = any(rooted, `${unit(':@')}+${segments}`);
const relativePath = any(rooted, `${unit('@')}+${segments}`);

const label = '[A-Za-z0-9](?:[A-Za-z0-9\\-]*[A-Za-z0-9])?';
const shortLabel = '[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,30}[A-Za-z0-9])?';
const mailWord = "[A-Za-z0-9!#$%&'*+\\/=?^_`{|}~\\-]+";
const octet = any('25[0-5]', '2[0-4]\\d', '1\\d\\d', '[1-9]?\\d');
const token = any('[^~\\/]', '~0', '~1');
const pointer = `(?:\\/${token}*)*`;

const inDays = any('\\d+Y(?:\\d+M)?(?:\\d+D)?', '\\d+M(?:\\d+D)?', '\\d+D');
const inHours = `T${any('\\d+H(?:\\d+M)?(?:\\d+S)?', '\\d+M(?:\\d+S)?', '\\d+S')}`;

/** By format: the pattern between `^` and `$`. */
const PATTERNS: Readonly<Record<string, string>> = {
  date: DATE,
  time: TIME,
  'date-time': `${DATE}[Tt ]${TIME}`,
  duration: `P${any('\\d+W', `${inDays}(?:${inHours})?`, inHours)}`,
  uri: `${scheme}${path}${rest}`,
  'uri-reference': any(`${scheme}${path}${rest}`, `${relativePath}${rest}`, rest),
  'uri-template': `${any('[A-Za-z0-9\\-._~!$&()*+,;=:@\\/?#]', '\\{[A-Za-z0-9_]+\\}')}*`,
  email: `${mailWord}(?:\\.${mailWord})*@(?:${label}\\.)+${label}`,
  hostname: `${shortLabel}(?:\\.${shortLabel}){0,3}`,
  ipv4: `(?:${octet}\\.){3}${octet}`,
  uuid: '(?:[Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}',
  'json-pointer': pointer,
  'relative-json-pointer': `${any('0', '[1-9]\\d*')}(?:#|${pointer})`,
  regex: "\\^?(?:(?:[A-Za-z0-9_ \\/:@,#=!<>%&;'~\\-]|\\.|\\[\\^?(?:[A-Za-z0-9_.\\/@:])+\\])[*+?]?)*\\$?",
  byte: '(?:[A-Za-z0-9+\\/]{4})*(?:[A-Za-z0-9+\\/]{2}==|[A-Za-z0-9+\\/]{3}=)?',
};

/** By format: a pattern that every text matches which examine accepts. */
const NEEDED: Readonly<Record<string, string>> = {
  date: '^\\d{4}-\\d\\d-\\d\\d$',
  time: '^\\d\\d:\\d\\d:\\d\\d',
  'date-time': '^\\d{4}-\\d\\d-\\d\\d',
  duration: '^P',
  uri: '^[A-Za-z][A-Za-z0-9+\\-.]*:',
  email: '@',
  hostname: '^[A-Za-z0-9][A-Za-z0-9.\\-]*$',
  ipv4: '^\\d{1,3}(?:\\.\\d{1,3}){3}$',
  uuid: whole(PATTERNS.uuid!),
  'json-pointer': whole(pointer),
};

/** A pattern that all texts of the format match; null: there is none. */
export function neededByFormat(format: string): string | null {
  return Object.hasOwn(NEEDED, format) ? NEEDED[format]! : null;
}

/** Formats that examine knows and that are not in the table: they are unsure for every text. */
const OTHERS = new Set('url ipv6 json-pointer-uri-fragment iso-time iso-date-time int32 int64'.split(' '));

/** The patterns of all formats that have one. */
export function formatPatterns(): string[] {
  return [...new Set([...Object.values(PATTERNS).map(whole), ...Object.values(NEEDED)])];
}

function whole(pattern: string): string {
  return `^(?:${pattern})$`;
}

/** A pattern for the format, `unknown` if examine does not check it, or null if there is no pattern for it. */
export function patternOfFormat(format: string): string | 'unknown' | null {
  if (Object.hasOwn(PATTERNS, format)) return whole(PATTERNS[format]!);
  return OTHERS.has(format) ? null : 'unknown';
}
