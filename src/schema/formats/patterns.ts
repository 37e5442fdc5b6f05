/**
 * The grammars of formats as patterns, from the documents that define them. They match in one pass: what comes next in
 * a text tells which part of the pattern it belongs to.
 */

export function wholeText(pattern: string): string {
  return `^(?:${pattern})$`;
}

const any = (...options: string[]): string => `(?:${options.join('|')})`;
const dotted = (word: string): string => `${word}(?:\\.${word})*`;

// Dates and times: RFC 3339, section 5.6 and appendix A.
const DAY = any(
  `${any('0[13578]', '1[02]')}-${any('0[1-9]', '[12]\\d', '3[01]')}`,
  `${any('0[469]', '11')}-${any('0[1-9]', '[12]\\d', '30')}`,
  `02-${any('0[1-9]', '1\\d', '2[0-8]')}`,
);
const LEAP_YEAR = any('\\d\\d(?:0[48]|[2468][048]|[13579][26])', '(?:[02468][048]|[13579][26])00');
const HOUR = any('[01]\\d', '2[0-3]');
const ZONE = any('[Zz]', `[+\\-]${HOUR}:[0-5]\\d`);

export const DATE = any(`\\d{4}-${DAY}`, `${LEAP_YEAR}-02-29`);
/** A time with the seconds that `seconds` matches. */
export const timeWith = (seconds: string): string => `${HOUR}:[0-5]\\d:${seconds}(?:\\.\\d+)?${ZONE}`;

const inDays = any('\\d+Y(?:\\d+M(?:\\d+D)?)?', '\\d+M(?:\\d+D)?', '\\d+D');
const inHours = `T${any('\\d+H(?:\\d+M(?:\\d+S)?)?', '\\d+M(?:\\d+S)?', '\\d+S')}`;
export const DURATION = `P${any('\\d+W', `${inDays}(?:${inHours})?`, inHours)}`;

// Addresses of hosts: RFC 2673, section 3.2, and RFC 4291, section 2.2.
const octet = any('25[0-5]', '2[0-4]\\d', '1\\d\\d', '[1-9]?\\d');
const group = '[0-9A-Fa-f]{1,4}';
export const IPV4 = `(?:${octet}\\.){3}${octet}`;
const ending = any(`${group}:${group}`, IPV4);
/** By the number of groups before "::" at most: what comes after it. */
const AFTER_GAP = [
  `(?:${group}:){5}${ending}`,
  `(?:${group}:){4}${ending}`,
  `(?:${group}:){3}${ending}`,
  `(?:${group}:){2}${ending}`,
  `${group}:${ending}`,
  ending,
  group,
  '',
];
const gap = (after: string, before: number): string =>
  before === 0 ? `::${after}` : `(?:(?:${group}:){0,${before - 1}}${group})?::${after}`;
export const IPV6 = any(`(?:${group}:){6}${ending}`, ...AFTER_GAP.map(gap));

// RFC 1123, section 2.1: letters, digits, and hyphens between them.
const word = '[A-Za-z0-9]';
const inner = '[A-Za-z0-9\\-]';
export const HOSTNAME = dotted(`${word}(?:${inner}{0,61}${word})?`);
/** Shorter labels, in which the third and fourth characters are not both hyphens, as they are in Punycode. */
const third = any(`${word}${inner}`, `-${word}`);
const shortLabel = `${word}${any(word, `${inner}${any(word, `${word}${word}`, `-${word}`, `${third}${inner}{0,20}${word}`)}`)}?`;
export const PLAIN_HOSTNAME = `${shortLabel}(?:\\.${shortLabel}){0,3}`;

// RFC 5321, section 4.1.2. A domain must have a dot, as domains that receive mail have.
const mailLabel = `${word}(?:${inner}*${word})?`;
const quoted = (others: string): string => `"(?:[\\x20!#-\\[\\]-~${others}]|\\\\[\\x20-~])*"`;
const mailWord = (others: string): string => `[A-Za-z0-9!#$%&'*+\\/=?^_\`{|}~\\-${others}]+`;
const local = (others: string): string => any(dotted(mailWord(others)), quoted(others));
const literalAddress = `\\[${any(IPV4, `[Ii][Pp][Vv]6:${IPV6}`)}\\]`;
const domain = `(?:${mailLabel}\\.)+${mailLabel}`;
export const EMAIL = `${local('')}@${any(domain, literalAddress)}`;
/** Without quotes and literal addresses, for a smaller automaton. */
export const PLAIN_EMAIL = `${dotted(mailWord(''))}@${domain}`;
/** The same for RFC 6531, whose domains are names of hosts. */
export const PLAIN_IDN_EMAIL = `${dotted(mailWord(''))}@${shortLabel}(?:\\.${shortLabel}){1,3}`;
/** RFC 6531, section 3.3: the local part, and the domain in a group. */
export const IDN_EMAIL = `${local('\\u{80}-\\u{D7FF}\\u{E000}-\\u{10FFFF}')}@${any(literalAddress, '([^@\\[\\]]+)')}`;

// RFC 3986, appendix A, and RFC 3987, section 2.2.
const scheme = '[A-Za-z][A-Za-z0-9+\\-.]*:';
const encoded = '%[0-9A-Fa-f]{2}';
const planes = Array.from({ length: 14 }, (_, i) => {
  const plane = (i + 1).toString(16).toUpperCase();
  return `\\u{${plane}${i === 13 ? '1' : '0'}000}-\\u{${plane}FFFD}`;
});
const ucs = `\\u{A0}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFEF}${planes.join('')}`;
const privateUse = '\\u{E000}-\\u{F8FF}\\u{F0000}-\\u{FFFFD}\\u{100000}-\\u{10FFFD}';

/** The characters beyond ASCII that may be in any part, and those that may be in the query only. */
interface Others {
  readonly anywhere: string;
  readonly inQuery: string;
}
const NO_OTHERS: Others = { anywhere: '', inQuery: '' };
const UCS: Others = { anywhere: ucs, inQuery: privateUse };

/** The two forms of identifiers, whose hosts are names or what `literal` matches. */
function identifiers({ anywhere, inQuery }: Others, literal: string): { absolute: string; reference: string } {
  const unit = (characters: string): string => any(`[A-Za-z0-9\\-._~!$&'()*+,;=${characters}${anywhere}]`, encoded);
  const segments = `(?:\\/${unit(':@')}*)*`;
  const authority = `(?:${unit(':')}*@)?${any(literal, `${unit('')}*`)}(?::\\d*)?`;
  const rooted = any(`\\/\\/${authority}${segments}`, `\\/(?:${unit(':@')}+${segments})?`);
  const rest = `(?:\\?${unit(`:@\\/?${inQuery}`)}*)?(?:#${unit(':@\\/?')}*)?`;
  const path = (first: string): string => any(rooted, `${unit(first)}+${segments}`, '');
  const absolute = `${scheme}${path(':@')}${rest}`;
  return { absolute, reference: any(absolute, `${path('@')}${rest}`) };
}

const literalHost = `\\[${any(IPV6, "[Vv][0-9A-Fa-f]+\\.[A-Za-z0-9\\-._~!$&'()*+,;=:]+")}\\]`;
export const SCHEME = `^${scheme}`;
export const URI = identifiers(NO_OTHERS, literalHost);
export const IRI = identifiers(UCS, literalHost);
/** Those whose hosts are names, for smaller automata. */
export const NAMED_URI = identifiers(NO_OTHERS, '');
export const NAMED_IRI = identifiers(UCS, '');

// RFC 6570, section 2; apostrophes as corrected by erratum 6937.
const varchar = any('[A-Za-z0-9_]', encoded);
const varspec = `${varchar}(?:\\.?${varchar})*(?::[1-9]\\d{0,3}|\\*)?`;
const expression = `\\{[+#.\\/;?&=,!@|]?${varspec}(?:,${varspec})*\\}`;
export const URI_TEMPLATE = `${any(`[!#$&-;=?-\\[\\]_a-z~${ucs}${privateUse}]`, encoded, expression)}*`;

// RFC 6901, and the draft of relative JSON Pointers.
export const JSON_POINTER = '(?:\\/(?:[^~\\/]|~0|~1)*)*';
export const RELATIVE_JSON_POINTER = `${any('0', '[1-9]\\d*')}(?:#|${JSON_POINTER})`;

// RFC 4122, section 3.
export const UUID = '[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}';

// Formats of OpenAPI and others.
export const BYTE = '(?:[A-Za-z0-9+\\/]{4})*(?:[A-Za-z0-9+\\/]{2}==|[A-Za-z0-9+\\/]{3}=)?';
export const JSON_POINTER_FRAGMENT = `#(?:\\/${any("[A-Za-z0-9_\\-.!$&'()*+,;:=@]", encoded, '~0', '~1')}*)*`;

// URLs of the public web as in ajv-formats, from https://gist.github.com/dperini/729294.
const privateIpv4 = any(
  '(?:10|127)(?:\\.\\d{1,3}){3}',
  '(?:169\\.254|192\\.168)(?:\\.\\d{1,3}){2}',
  '172\\.(?:1[6-9]|2\\d|3[01])(?:\\.\\d{1,3}){2}',
);
const publicIpv4 = [
  `(?!${privateIpv4})(?:[1-9]\\d?|1\\d\\d|2[01]\\d|22[0-3])`,
  '(?:\\.(?:1?\\d{1,2}|2[0-4]\\d|25[0-5])){2}',
  '\\.(?:[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-4])',
].join('');
const letter = 'A-Za-z\\u{A1}-\\u{FFFF}';
const name = `(?:[${letter}0-9]+-)*[${letter}0-9]+`;
const web = '(?:[Hh][Tt][Tt][Pp][Ss]?|[Ff][Tt][Pp]):\\/\\/';
const webHost = any(publicIpv4, `${name}(?:\\.${name})*\\.[${letter}]{2,}`);
export const URL = `${web}(?:\\S+(?::\\S*)?@)?${webHost}(?::\\d{2,5})?(?:\\/\\S*)?`;
/** Of ASCII only, and without user and address. */
export const PLAIN_URL = `${web}(?:${word}+(?:-${word}+)*\\.)+[A-Za-z]{2,}(?::\\d{2,5})?(?:\\/[!-~]*)?`;

/** Regular expressions of plain characters, classes and quantifiers. */
export const PLAIN_REGEX =
  "\\^?(?:(?:[A-Za-z0-9_ \\/:@,#=!<>%&;'~\\-]|\\.|\\[\\^?(?:[A-Za-z0-9_.\\/@:])+\\])[*+?]?)*\\$?";
