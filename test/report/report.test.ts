/**
 * Every format on one hostile sample: whole outputs, harmless whatever the payload holds; the JSON formats against their
 * published schema. `npx vitest -u` redraws the snapshots: read what changed.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../scripts/mutations/mutate.ts';
import { violationsOf } from '../../src/log/violation-table.ts';
import { version } from '../../src/package.ts';
import { drawFrame } from '../../src/report/frame.ts';
import { createReporter, FORMAT_NAMES, FORMATS, type FormatName } from '../../src/report/report-formats.ts';
import { createStats } from '../../src/report/stats.ts';
import type { ReportEvent, ReportStyle, Summary } from '../../src/types.ts';
import { readablePage } from '../format-readers.ts';
import { AWKWARD_FILE, eventOf, excerpt, PLAIN, SAMPLE, violation, wellFormed } from '../report-sample.ts';

async function draw(
  format: FormatName,
  style: Partial<ReportStyle> = {},
  events: readonly ReportEvent[] = SAMPLE,
): Promise<string> {
  const reporter = await createReporter(format, { ...PLAIN, ...style });
  await reporter.prepare?.(events.filter((event) => event.type === 'violations'));
  const text = events.map(reporter).join('') + (reporter.flush?.() ?? '');
  return format === 'html' ? readablePage(text) : text;
}

const lines = (text: string) => text.trimEnd().split('\n');
const found = SAMPLE.flatMap((event) => (event.type === 'violations' ? [...violationsOf(event)] : []));
/** As JSON sees it: a lone surrogate and all. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe.each(FORMAT_NAMES)('%s', (format) => {
  const { machine } = FORMATS[format];

  test.each([40, 80, 120])('is drawn as before at %i columns', async (width) => {
    // Only pretty looks at the width.
    const name = format === 'pretty' ? `${format}-${width}` : format;
    await expect(await draw(format, { width })).toMatchFileSnapshot(`report-snapshots/${name}.txt`);
  });

  test.each([0, 1] as const)(
    'lets nothing act on a terminal and, for programs, in a CI log, colour %i',
    async (colorLevel) => {
      const coloured = await draw(format, { colorLevel, stats: true });
      const text = coloured.replace(/\u001b\[\d+m/g, '');
      expect(text).not.toMatch(
        /[\0-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2060-\u206f\u200b\ufeff]|[\u{e0000}-\u{e007f}]/u,
      );
      // A command of GitHub's is one, up to its message.
      const bare = format === 'github' ? text.replace(/^::error [^:\n]*::/gm, '') : text;
      // That of a text for people is up to where it is written: `source/ci-log.ts`.
      if (machine) expect(bare).not.toMatch(/::|##\w*\[/);
      expect(text).not.toMatch(/\p{Cs}/u);
      expect(coloured === text).toBe(machine || colorLevel === 0);
    },
  );

  test('lists at most as many violations as asked for, and counts the others', async () => {
    const text = await draw(format, { maxViolations: 2 });
    const whole = await draw(format);
    expect(text).toContain('a tab in a string');
    expect(text).not.toContain('must be an array');
    expect(whole).toContain('must be an array');
    // The last line of sarif says that not all are listed, and so does the page.
    if (format !== 'sarif' && format !== 'html') expect(lines(text).at(-1)).toBe(lines(whole).at(-1));
  });

  test('is quiet when asked: every violation, and a summary only for programs', async () => {
    const text = await draw(format, { quiet: true });
    // In junit it is the heading of a failure, and in its list.
    expect(text.match(/must have at least 1 character/g)).toHaveLength(format === 'junit' ? 2 : 1);
    if (!FORMATS[format].machine) expect(text).not.toMatch(/1,?000/);
  });

  test('says something for a run without violations', async () => {
    expect(await draw(format, {}, [summary({})])).not.toBe('');
  });
});

/** In junit the numbers of a file come before its cases; html compresses many violations at once. */
const HOLDING: readonly string[] = ['junit', 'html'];

test.each(FORMAT_NAMES.filter((name) => !HOLDING.includes(name)))(
  '%s holds nothing back that it could show (if it must: HOLDING)',
  async (format) => {
    const reporter = await createReporter(format, PLAIN);
    await reporter.prepare?.(SAMPLE.filter((event) => event.type === 'violations'));
    for (const event of SAMPLE)
      if (event.type === 'violations') expect(reporter(event) + (reporter.flush?.() ?? '')).not.toBe('');
  },
);

describe.each(['line', 'ndjson', 'json', 'github'] as const)('%s', (format) => {
  test('writes places and rejects from the beginning of the source and of the run', async () => {
    const first = { line: 3, column: 2, offset: 20 };
    const child = { line: 4, column: 1, endLine: 4, endColumn: 2, offset: 30, pointer: '/c', message: 'no' };
    const all = [
      ...found,
      violation({ rule: 'duplicate-member', params: { first }, line: 6, endLine: 6 }),
      violation({
        rule: 'anyOf',
        children: [{ ...child, rule: 'type', params: { type: 'null' }, schema: null }] as never,
      }),
      violation({ rule: 'type', severity: 'warning', reject: 3, line: 8, endLine: 9 }),
    ];
    const before = { payloads: 10, lines: 100, rejects: 1000 };
    const drawn = all.map((one) => ({ ...eventOf(one), before }));
    const fromStatements = await draw(format, {}, drawn);
    if (format === 'line') expect(fromStatements).toContain(':104:1: note: type at /c: no');
    if (format === 'ndjson') {
      expect(fromStatements).toContain('"params":{"first":{"line":103,"column":2,"offset":20}}');
      expect(fromStatements).toContain('"line":108,"column":1,"endLine":109');
      expect(fromStatements).toContain('"reject":1003}');
    }
  });
});

describe('ndjson and json', () => {
  const schema = JSON.parse(readFileSync('schemas/report.schema.json', 'utf8'));
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  const valid = ajv.compile(schema);
  const errors = (value: unknown) => (valid(value) ? null : valid.errors);
  const ndjson = async (style?: Partial<ReportStyle>) =>
    lines(await draw('ndjson', style)).map((line) => JSON.parse(line));
  const json = async (style?: Partial<ReportStyle>) => JSON.parse(await draw('json', style));

  test('are what the published schema says', async () => {
    for (const style of [{}, { quiet: true }, { maxViolations: 1 }]) {
      for (const line of await ndjson(style)) expect(errors(line)).toBeNull();
      expect(errors(await json(style))).toBeNull();
    }
    expect(errors(JSON.parse(await draw('json', {}, [summary({})])))).toBeNull();
  });

  test('give back every field, in the order of the contract', async () => {
    const expected = wellFormed(asJson(found));
    const { violations, failures, sources, summary } = await json();
    expect(violations).toEqual(expected);
    expect(await ndjson()).toEqual(
      SAMPLE.map((event) =>
        wellFormed(
          asJson({
            type: event.type === 'violations' ? 'violation' : event.type,
            ...(event.type === 'summary' ? { version: version(), reportVersion: 1 } : {}),
            ...eventBody(event),
          }),
        ),
      ),
    );
    expect({ failures: failures.length, sources: sources.length, payloads: summary.payloads }).toEqual({
      failures: 1,
      sources: 2,
      payloads: 1000,
    });
    const order =
      'file payload line column endLine endColumn offset kind severity pointer rule message params schema fixable suggestion';
    expect(Object.keys(violations[0]).join(' ')).toBe(order);
    expect(Object.keys((await ndjson())[0]).join(' ')).toBe(`type ${order}`);
  });

  test('keep their counts under --quiet, but list no fills', async () => {
    expect(await json({ quiet: true })).toEqual(await json());
    const fills = (line: { type: string }): boolean => line.type === 'fill';
    expect(await ndjson({ quiet: true })).toEqual((await ndjson()).filter((line) => !fills(line)));
  });

  test('more file names than are remembered are written right', async () => {
    const events = Array.from({ length: 2500 }, (_, index): ReportEvent => {
      return eventOf(violation({ file: `${index % 1700}.json`, payload: index }));
    });
    const written = lines(await draw('ndjson', {}, events)).map((line) => JSON.parse(line));
    expect(written.map(({ file, payload }) => [file, payload])).toEqual(
      events.map((_, index) => [`${index % 1700}.json`, index]),
    );
  });

  test.each<[string, (line: Record<string, unknown>) => unknown]>([
    ['a member more', (line) => ({ ...line, excerpt: 'x' })],
    ['a member less', ({ rule, ...line }) => line],
    ['a line number of 0', (line) => ({ ...line, line: 0 })],
    ['a pointer that is none', (line) => ({ ...line, pointer: 'a/b' })],
    ['a negative offset', (line) => ({ ...line, offset: -1 })],
    ['a suggestion of null', (line) => ({ ...line, suggestion: null })],
  ])('the schema refuses %s', async (_, change) => {
    const [line] = await ndjson();
    expect(errors(line)).toBeNull();
    expect(errors(change(line))).not.toBeNull();
  });

  test('the schema refuses a line of any sort without its type, or of a type it does not know', async () => {
    for (const { type, ...line } of await ndjson()) {
      expect(errors({ type, ...line })).toBeNull();
      expect(errors(line)).not.toBeNull();
      expect(errors({ ...line, type: 'fill' })).not.toBeNull();
    }
  });

  test('the schema refuses a document with a member more or without its summary', async () => {
    const document = await json();
    const { summary, ...withoutSummary } = document;
    expect(errors({ ...document, notes: [] })).not.toBeNull();
    expect(errors(withoutSummary)).not.toBeNull();
    expect(errors({ ...document, summary: { ...summary, more: 1 } })).not.toBeNull();
    expect(errors({ ...document, sources: [{ ...document.sources[0], filled: 2 }] })).toBeNull();
    expect(errors({ ...document, sources: [{ ...document.sources[0], filled: 'two' }] })).not.toBeNull();
  });
});

describe('line', () => {
  test('is one line for each violation and for what is listed below it, whatever it holds', async () => {
    const text = await draw('line', { quiet: true });
    const notes = lines(text).filter((line) => /:\d+:\d+: note: /.test(line));
    expect(notes).toHaveLength(2);
    expect(lines(text)).toHaveLength(found.length + notes.length);
    expect(lines(text)[0]).toBe(
      `${AWKWARD_FILE}:2:39: enum "Artcle" is not one of the 5 values allowed; did you mean "Article"?`,
    );
  });
});

describe('pretty', () => {
  test('names a file once, and again when it comes back', async () => {
    const at = (file: string): ReportEvent => eventOf(violation({ file }));
    const text = await draw('pretty', { quiet: true }, [at('a'), at('a'), at('b'), at('a')]);
    expect(lines(text).filter((line) => /^[ab]$/.test(line))).toEqual(['a', 'b', 'a']);
  });

  test('says how many violations it does not show, by rule, even when quiet', async () => {
    const text = await draw('pretty', { maxViolations: 2, quiet: true, width: 200 });
    const [rules, files] = lines(text).slice(-2);
    expect(rules).toBe('… and 6 more: required 2, additionalProperties 1, json-syntax 1, minLength 1, type 1');
    expect(files).toMatch(/^ {2}in .* 3, .* 3; --max-violations 0 shows all$/);
  });

  test('is coloured sparingly', async () => {
    const events = SAMPLE.filter((event) => event.type !== 'violations' || [...violationsOf(event)][0]!.line === 2);
    const text = (await draw('pretty', { colorLevel: 1 }, events)).replace(/\u001b\[(\d+)m/g, '‹$1›');
    expect(text).toMatchInlineSnapshot(`
      "‹1›‹4›we,ird%na&me<>.json‹24›‹22›

        ‹33›enum‹39›  "Artcle" is not one of the 5 values allowed
           ‹2›╭─‹22› we,ird%na&me<>.json:2:39  ‹2›/@type‹22›
      ‹2›   2 │‹22› {"title":"👩‍👩‍👧‍👦 ❤️ 日本語","@type":"Artcle","content":"Hello"}
           ‹2›│‹22›                                 ‹31›^^^^^^^^‹39›
           ‹2›╰─‹22› ‹36›did you mean "Article"?‹39›

      ‹31›✗ 8 violations in 7 of 1,000 payloads (2 files)‹39›‹2› · ‹22›‹31›1 failure‹39›‹2› · ‹22›‹2›0.3 s‹22›
      "
    `);
  });

  test('keeps its frames within the width', async () => {
    for (const width of [28, 40, 80, 120]) {
      const text = await draw('pretty', { width });
      for (const line of lines(text)) {
        if (/^ +(\d+ │ |│ *\^+$)/.test(line))
          expect({ width, line, fits: stringWidth(line) <= width }).toMatchObject({ fits: true });
      }
    }
  });

  test('cuts no line that fits, whatever its characters are made of', async () => {
    const text = '🌡'.repeat(100); // one column and two code units each
    const at = violation({ column: 1, endColumn: 3 });
    const drawn = await draw('pretty', { width: 120, quiet: true }, [eventOf(at, excerpt(text))]);
    expect(drawn).toContain(`   1 │ ${text}\n`);
  });

  test('draws the same frame as if it looked at all of the line', async () => {
    const random = seeded(5);
    const pieces = ['a', 'b ', '"x": ', '日', 'é', '🌡', '😀', 'e\u0301', '👩‍👩‍👧', '❤️', '🇩🇪', '\u0007', '::'];
    for (let i = 0; i < 500; i++) {
      // Long stretches of the same, that what joins is here and there and sometimes far.
      let text = '';
      while (text.length < 400) text += pieces[random(pieces.length)]!.repeat(1 + random(60));
      const from = random(text.length);
      const length = 1 + random(5);
      const width = 40 + random(100);
      const at = violation({ column: from + 1, endColumn: from + length + 1 });
      const events = [eventOf(at, excerpt(text))] as const;
      const drawn = await draw('pretty', { width, quiet: true }, events);
      const { text: frame, caretColumn, caretWidth } = drawFrame(excerpt(text), from, from + length, width - 7);
      const carets = ' '.repeat(caretColumn) + '^'.repeat(caretWidth);
      expect(drawn).toContain(`   1 │ ${frame}\n     │ ${carets}\n`);
    }
  });

  test('points at the empty end of a line, and into an empty line', async () => {
    const empty = violation({ rule: 'json-syntax', endColumn: 1 });
    const text = await draw('pretty', { quiet: true }, [eventOf(empty, excerpt(''))]);
    expect(lines(text).slice(-3, -1)).toEqual(['   1 │', '     │ ^']);
  });
});

describe('the summary line', () => {
  test.each<[Partial<Summary>, string]>([
    [{}, '✓ 1,000 payloads valid in 3 files · 0.3 s'],
    [{ payloads: 1, valid: 1, sources: 1, elapsedMs: 4.2 }, '✓ 1 payload valid · 4 ms'],
    [{ payloads: 0, valid: 0 }, '– no payloads in 3 files · 0.3 s'],
    [{ payloads: 0, valid: 0, sources: 0, failures: 1 }, '✗ no payloads · 1 failure · 0.3 s'],
    [{ failures: 2, elapsedMs: 99.4 }, '✗ 1,000 payloads valid in 3 files · 2 failures · 99 ms'],
    [{ violations: 1, invalid: 1, payloads: 1, sources: 1, elapsedMs: 99.6 }, '✗ 1 violation in 1 payload · 0.1 s'],
    [{ violations: 12, invalid: 4, elapsedMs: 59_949 }, '✗ 12 violations in 4 of 1,000 payloads (3 files) · 59.9 s'],
    [
      { violations: 1234, invalid: 1000, failures: 1, elapsedMs: 3_725_000 },
      '✗ 1,234 violations in 1,000 of 1,000 payloads (3 files) · 1 failure · 62 min 5 s',
    ],
  ])('%o', async (fields, expected) => {
    expect(await draw('pretty', {}, [summary(fields)])).toBe(`${expected}\n`);
    expect(await draw('line', {}, [summary(fields)])).toBe(`${expected}\n`);
  });

  test('counts what fill would fix, shown or not', async () => {
    const fixable: ReportEvent = eventOf(violation({ fixable: true }));
    const events = [fixable, fixable, fixable, summary({ violations: 3, invalid: 3 })];
    const expected = '✗ 3 violations in 3 of 1,000 payloads (3 files) · 3 fixable with paylint fill · 0.3 s';
    expect(lines(await draw('pretty', { maxViolations: 1, width: 120 }, events)).at(-1)).toBe(expected);
    expect(lines(await draw('line', {}, events)).at(-1)).toBe(expected);
  });
});

describe('stats', () => {
  const table = async (width: number, events = SAMPLE) => {
    const stats = await createStats({ ...PLAIN, width });
    return events.map(stats).join('');
  };

  test('count by kind, rule and pointer, the most frequent first', async () => {
    expect(await table(120)).toMatchInlineSnapshot(`
      "  count  kind         rule                  pointer                          example
            2  contract     required              /*/coverage                      in\\u000aject\\u001b[2J::error::/##[error]x::1208:1
            1  content      enum                  /@type                           we,ird%na&me<>.json:2:39
            1  –            json-syntax           /a                               we,ird%na&me<>.json:14:8
            1  contract     type                  /*/coverage/subLocation          we,ird%na&me<>.json:31:18
            1  –            json-syntax           /*                               we,ird%na&me<>.json:40:9
            1  content      minLength             /author/@id                      we,ird%na&me<>.json:52:105031
            1  emo\\u0007ji  additionalProperties  /\\u001b[31m::error::no##[error]  in\\u000aject\\u001b[2J::error::/##[error]x::7:30
      "
    `);
  });

  test('put the example, and then the pointer, below the row in a narrow terminal', async () => {
    const events: ReportEvent[] = [eventOf(violation({ pointer: '/2/author/@type/a' })), summary({})];
    expect(await table(55, events)).toMatchInlineSnapshot(`
      "  count  kind     rule      pointer            example
            1  content  required  /*/author/@type/a  we,ird%na&me<>.json:1:1
      "
    `);
    expect(await table(40, events)).toMatchInlineSnapshot(`
      "  count  kind     rule      pointer            example
            1  content  required  /*/author/@type/a  we,ird%na&me<>.json:1:1
      "
    `);
  });

  test('fold array indices, at the end of a pointer too, and nothing else', async () => {
    const pointers = ['/0', '/12/a/7', '/a/3', '/a/4', '/a/04', '/a/4b', '/a~17/1'];
    const events = pointers.map((pointer): ReportEvent => {
      return eventOf(violation({ pointer }));
    });
    const drawn = lines(await table(200, [...events, summary({})])).map((line) => line.trim().split(/ {2,}/));
    expect(drawn.map(([count, , , pointer]) => `${count} ${pointer}`)).toEqual([
      'count pointer',
      '2 /a/*',
      '1 /*',
      '1 /*/a/*',
      '1 /a/04',
      '1 /a/4b',
      '1 /a~17/*',
    ]);
  });

  test('show 50 sorts and count the rest, also those beyond what is remembered', async () => {
    const events = Array.from({ length: 12_000 }, (_, index): ReportEvent => {
      return eventOf(violation({ pointer: `/m${index}` }));
    });
    const drawn = lines(await table(120, [...events, summary({})]));
    expect(drawn).toHaveLength(52);
    expect(drawn.at(-1)).toBe('  … and 11,950 violations of other sorts');
  });

  test('are empty if nothing is wrong', async () => {
    expect(await table(80, [summary({})])).toBe('');
  });

  test('are before the summary line of pretty and line, and in no machine format', async () => {
    for (const format of FORMAT_NAMES) {
      const drawn = await draw(format, { stats: true });
      const { machine } = FORMATS[format];
      expect(drawn.includes(await table(80))).toBe(!machine);
      if (machine) expect(drawn).toBe(await draw(format));
      else expect(drawn).toContain(`${await table(80)}\n✗ `);
    }
  });
});

function summary(fields: Partial<Summary>): ReportEvent {
  const all = {
    sources: 3,
    payloads: 1000,
    valid: 1000,
    invalid: 0,
    violations: 0,
    warnings: 0,
    failures: 0,
    kinds: {},
    rules: {},
  };
  return { type: 'summary', summary: { ...all, elapsedMs: 312, ...fields } };
}

function eventBody(event: ReportEvent): object {
  if (event.type === 'violations') return [...violationsOf(event)][0]!;
  if (event.type === 'failure') return event.failure;
  if (event.type === 'hidden') return {};
  if (event.type === 'fill') return event.fill;
  if (event.type === 'prune') return event.prune;
  return event.type === 'source' ? event.source : event.summary;
}
