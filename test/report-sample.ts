/**
 * One sample of events for all reporters, made to hurt: file names and payload text that would act on a terminal or
 * a CI log, break a line, a quote or a comment, or move the carets.
 */
import { escapeToken } from '../src/json/pointer.ts';
import { eventOfTable, ViolationLog } from '../src/log/violation-table.ts';
import type {
  Child,
  Excerpt,
  ReportEvent,
  ReportStyle,
  StatementText,
  Violation,
  ViolationPlace,
  ViolationsEvent,
} from '../src/types.ts';

/** A name that means something to shells, CSV, printf, URLs and XML. */
export const AWKWARD_FILE = 'we,ird%na&me<>.json';
/** A name with a line end, an escape sequence and a CI command, that ends in a colon. */
export const HOSTILE_FILE = 'in\nject\u001b[2J::error::/##[error]x:';

export const PLAIN: ReportStyle = { colorLevel: 0, width: 80, quiet: false, stats: false, maxViolations: 0 };

/** Reports show any rule, with any facts. */
type SampleFields = Partial<ViolationPlace & StatementText> & { readonly rule?: string; readonly params?: object };

/** A violation whose other fields do not matter. */
export function violation(fields: SampleFields): Violation {
  const base = {
    file: AWKWARD_FILE,
    payload: 0,
    line: 1,
    column: 1,
    endLine: 1,
    endColumn: 2,
    offset: 0,
    kind: 'content',
    severity: 'error',
    pointer: '',
    rule: 'required',
    message: 'must have the member "content"',
    params: {},
    schema: 'content-item.schema.json#/required',
    fixable: false,
  };
  return { ...base, ...fields } as Violation; // see above
}

/** The event of a violation, of which `log` keeps what is needed. */
export function eventOf(
  { file, payload, line, column, endLine, endColumn, offset, ...statement }: Violation,
  excerpt: Excerpt | null = null,
  log = new ViolationLog(),
): ViolationsEvent {
  const place = { file, payload, line, column, endLine, endColumn, offset };
  log.add(statement, place, excerpt === null ? null : { excerpt });
  return eventOfTable(log.take()!); // it has one
}

/** What is listed below a violation, with the text wherever text can be, two levels deep. */
function hostileChild(text: string, levels = 2): Child {
  const child = {
    ...{ line: 8, column: 3, endLine: 8, endColumn: 9, offset: 300 },
    ...{
      pointer: `/${escapeToken(text)}`,
      rule: text,
      message: text,
      params: { extra: text },
      schema: text,
      suggestion: text,
    },
    ...(levels === 1 ? {} : { children: [hostileChild(text, levels - 1)] }),
  };
  return child as Child; // reports show any rule
}

/** A violation of `needle`, which is in the text of its line; its columns follow from that. */
function inLine(line: number, text: string, needle: string, fields: SampleFields): ReportEvent {
  const column = text.indexOf(needle) + 1;
  const at = { line, endLine: line, column, endColumn: column + needle.length, offset: 1000 * line + column };
  return eventOf(violation({ ...at, ...fields }), excerpt(text));
}

export function excerpt(text: string, fields: Partial<Excerpt> = {}): Excerpt {
  return { text, column: 1, cutBefore: false, cutAfter: false, ...fields };
}

const long = `{"content":"${'Lorem ipsum 日本 '.repeat(7000)}","author":{"@id":"","@type":"Worker"},"x":"${'z'.repeat(5000)}"}`;

export const SAMPLE: readonly ReportEvent[] = [
  // Emoji (a family, a heart with its selector) and wide characters before the column.
  inLine(2, '{"title":"👩‍👩‍👧‍👦 ❤️ 日本語","@type":"Artcle","content":"Hello"}', '"Artcle"', {
    pointer: '/@type',
    rule: 'enum',
    message: '"Artcle" is not one of the 5 values allowed',
    params: { allowed: ['Article', 'Discussion'] },
    suggestion: 'Article',
  }),
  // Tabs before the column, and inside the span.
  inLine(14, '\t\t"a":\t"b\tc",', '"b\tc"', {
    pointer: '/a',
    rule: 'json-syntax',
    kind: null,
    schema: null,
    message: 'a tab in a string: it must be escaped',
  }),
  // A span over lines: shown to the end of its first.
  eventOf(
    violation({
      payload: 3,
      line: 31,
      column: 18,
      endLine: 35,
      endColumn: 4,
      offset: 900,
      kind: 'contract',
      pointer: '/3/coverage/subLocation',
      rule: 'type',
      message: 'must be an array, but is an object',
      params: { type: 'array' },
      schema: 'contract.schema.json#/properties/coverage/properties/subLocation/type',
    }),
    excerpt('  "subLocation": {"@type": "Place",'),
  ),
  // Nothing to point at: the text ends.
  eventOf(
    violation({
      payload: 4,
      line: 40,
      column: 9,
      endLine: 40,
      endColumn: 9,
      offset: 1200,
      kind: null,
      pointer: '/4',
      rule: 'json-syntax',
      message: 'the text ends in the middle of an object',
      schema: null,
    }),
    excerpt('  "name"'),
  ),
  // A line of 100 kB.
  inLine(52, long, '""', {
    pointer: '/author/@id',
    rule: 'minLength',
    message: 'must have at least 1 character',
    params: { limit: 1 },
  }),
  { type: 'source', source: { file: AWKWARD_FILE, payloads: 996, valid: 991, invalid: 5, violations: 5, warnings: 0 } },
  // All that acts: on terminals, on CI logs, on who reads from right to left, on markup.
  inLine(
    7,
    '{"\u001b[31m::error::no##[error]":"\u202eevil\u2066 ]]> \u200b\u{e0041} <b>&amp;</b> \ud800"}',
    '"\u202eevil',
    {
      file: HOSTILE_FILE,
      pointer: '/\u001b[31m::error::no##[error]',
      rule: 'additionalProperties',
      kind: 'emo\u0007ji',
      message: 'the member "\\u001b[31m" is not allowed\n::error::raw ##vso[task] \u202e ]]>',
      params: { extra: '\u001b[31m::error::no##[error]\u202e\u{e0041}\ud800', '::k': ['##[x]'] },
      schema: 'my::schema.json#/##[x]',
      suggestion: 're\u001b[0mason" ::warning::',
      children: [hostileChild('\u001b[2J::error::x\n##[error]\u202e ]]> <b>')],
    },
  ),
  // Without an excerpt, as under --redact, and fixable.
  eventOf(
    violation({
      file: HOSTILE_FILE,
      payload: 1207,
      line: 1208,
      endLine: 1208,
      offset: 123_456,
      message: 'must have the member "active"',
      pointer: '/0/coverage',
      kind: 'contract',
      fixable: true,
      fix: 'fill',
    }),
  ),
  // The same sort again, elsewhere in the array, with a piece of a line only, and a suggestion as well.
  eventOf(
    violation({
      file: HOSTILE_FILE,
      payload: 1_234_566,
      line: 1_234_567,
      column: 5001,
      endLine: 1_234_567,
      endColumn: 9000,
      offset: 9_007_199_254_740_991,
      message: 'must have the member "active"',
      pointer: '/17/coverage',
      kind: 'contract',
      fixable: true,
      fix: 'fill',
      suggestion: 'active',
    }),
    excerpt('"id":1,"coverage":{"actve":true,"faceToFace":false}', { column: 4983, cutBefore: true, cutAfter: true }),
  ),
  { type: 'source', source: { file: HOSTILE_FILE, payloads: 4, valid: 2, invalid: 2, violations: 3, warnings: 0 } },
  { type: 'failure', failure: { file: 'broken\u001b[2J.gz', message: 'not gzip: ::error::\n\u202e' } },
  {
    type: 'summary',
    summary: {
      sources: 2,
      payloads: 1000,
      valid: 993,
      invalid: 7,
      violations: 8,
      warnings: 0,
      failures: 1,
      kinds: {
        content: { payloads: 900, valid: 898, invalid: 2 },
        'emo\u0007ji::': { payloads: 1, valid: 0, invalid: 1 },
      },
      rules: { enum: 1, 'json-syntax': 2, type: 1, minLength: 1, additionalProperties: 1, required: 2 },
      elapsedMs: 312.4,
    },
  },
];

/** Texts that mean something to a terminal, a CI log, XML, HTML, Markdown, a URI or a printf, and to who reads them. */
export const HOSTILE_TEXTS: readonly string[] = [
  'plain',
  'a, b: 100% %0A %2C %3A %25',
  'new\nline\r\nand\ttab',
  '\u0000\u0001\u0007\u0008\u001b[2J\u001b]0;title\u0007\u007f\u009b31m',
  '\u202eevil\u2066\u2069\u200b\ufeff\u00ad\u2028\u2029',
  '::error file=x::no ::stop-commands::t',
  '##[error]no ##vso[task.complete]',
  ']]> <!-- --> <![CDATA[x]]> &amp; &#0; <b a=\'1\' b="2">',
  '</script><script>alert(1)</script><img src=x onerror=alert(1)>',
  '\ud800 \udc00 x\ud83d',
  '\ufffe\uffff\u{1fffe}\u{e0041}\ufff9',
  '| a | `b` ``c`` **d** _e_ ~~f~~ $g$ \\| \\',
  '[click](https://evil.example) <https://evil.example> www.evil.example',
  '@type #12 :smile: GH-1 a@b.example https://evil.example/?q=1',
  '{0} {{1}} {placeholder}',
  ' leading and trailing ',
  '../up/%2e%2e/?query#fragment:8080//x',
  '日本語 👩‍👩‍👧‍👦 ❤️ é',
];

/** A violation with each of the texts wherever text can be. */
export const HOSTILE: readonly ReportEvent[] = [
  ...HOSTILE_TEXTS.flatMap((text, i): ReportEvent[] => {
    const file = `${i} ${text}`;
    const fields = { file, pointer: `/${escapeToken(text)}`, message: text, suggestion: text, kind: text };
    const children = [hostileChild(text)];
    const at = { children, payload: i, line: i + 1, endLine: i + 1, rule: text, params: { extra: text }, schema: text };
    return [
      eventOf(violation({ ...fields, ...at })),
      { type: 'source', source: { file, payloads: 2, valid: 1, invalid: 1, violations: 1, warnings: 0 } },
    ];
  }),
  ...HOSTILE_TEXTS.map((text): ReportEvent => {
    return { type: 'failure', failure: { file: `gone ${text}`, message: text } };
  }),
  {
    type: 'summary',
    summary: {
      sources: HOSTILE_TEXTS.length,
      payloads: 2 * HOSTILE_TEXTS.length,
      valid: HOSTILE_TEXTS.length,
      invalid: HOSTILE_TEXTS.length,
      violations: HOSTILE_TEXTS.length,
      warnings: 0,
      failures: HOSTILE_TEXTS.length,
      kinds: Object.fromEntries(HOSTILE_TEXTS.map((text) => [text, { payloads: 2, valid: 1, invalid: 1 }])),
      rules: Object.fromEntries(HOSTILE_TEXTS.map((text) => [text, 1])),
      elapsedMs: 12,
    },
  },
];

/** As JSON reports have it: with U+FFFD for each half of a surrogate pair; of names that are equal then, the last counts. */
export function wellFormed<Value>(value: Value): Value {
  const inner = (json: unknown): unknown => {
    if (typeof json === 'string') return json.toWellFormed();
    if (typeof json !== 'object' || json === null) return json;
    if (Array.isArray(json)) return json.map(inner);
    return Object.fromEntries(Object.entries(json).map(([name, one]) => [name.toWellFormed(), inner(one)]));
  };
  return inner(value) as Value; // of the same shape
}
