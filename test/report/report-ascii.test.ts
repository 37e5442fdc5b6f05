/**
 * Terminals that show only ASCII: which ones they are, and that reports are readable there, with the carets under what they mean.
 */
import { describe, expect, it, vi } from 'vitest';
import { ProgressLine, showsUnicode } from '../../src/cli/terminal.ts';
import { createReporter, createStatsReporter, FORMAT_NAMES, FORMATS } from '../../src/report/report-formats.ts';
import type { Io } from '../../src/source/io.ts';
import type { Excerpt, ReportStyle, Source, Violation } from '../../src/types.ts';
import { eventOf, excerpt, PLAIN, SAMPLE, violation } from '../report-sample.ts';

const ASCII: ReportStyle = { ...PLAIN, unicode: false, stats: true };

async function draw(name: (typeof FORMAT_NAMES)[number], style: ReportStyle): Promise<string> {
  const reporter = await createReporter(name, style);
  await reporter.prepare?.(SAMPLE.filter((event) => event.type === 'violations'));
  return SAMPLE.map(reporter).join('');
}

describe('a stream shows more than ASCII', () => {
  const UTF8 = [
    {},
    { LANG: 'en_US.UTF-8' },
    { LANG: 'C.utf8' },
    { LANG: 'de_DE' },
    { LC_ALL: '', LANG: 'x.UTF8@euro' },
  ];
  const OTHERS = [
    { LANG: 'C' },
    { LANG: 'POSIX' },
    { LANG: 'de_DE.ISO-8859-1' },
    { LANG: 'de_DE.ISO8859-15@euro' },
    { LC_CTYPE: 'C', LANG: 'en_US.UTF-8' },
    { LC_ALL: 'C', LC_CTYPE: 'en_US.UTF-8', LANG: 'en_US.UTF-8' },
    { TERM: 'linux', LANG: 'en_US.UTF-8' },
    { TERM: 'dumb', LANG: 'en_US.UTF-8' },
  ];
  const terminal = { isTTY: true };

  it.each([...UTF8, ...OTHERS])('that is no terminal: %j', (env) => {
    expect(showsUnicode(env, {}, false)).toBe(true);
    expect(showsUnicode(env, { isTTY: false }, true)).toBe(true);
  });

  it.each([
    [true, { TERM: 'xterm', LC_ALL: 'en_US.UTF-8', LANG: 'C' }],
    ...UTF8.map((env) => [true, env] as const),
    ...OTHERS.map((env) => [false, env] as const),
  ] as const)('that is a terminal: %s for %j', (shows, env) => {
    expect(showsUnicode(env, terminal, false)).toBe(shows);
  });

  it.each([
    [{}, false],
    [{ LANG: 'en_US.UTF-8' }, false],
    [{ WT_SESSION: '1' }, true],
    [{ TERMINUS_SUBLIME: '1' }, true],
    [{ ConEmuTask: '{cmd::Cmder}' }, true],
    [{ ConEmuTask: '{cmd}' }, false],
    [{ TERM_PROGRAM: 'vscode' }, true],
    [{ TERM_PROGRAM: 'mintty' }, false],
    [{ TERM: 'xterm-256color' }, true],
    [{ TERM: 'cygwin' }, false],
    [{ TERMINAL_EMULATOR: 'JetBrains-JediTerm' }, true],
  ])('that is a terminal on Windows: %j: %s', (env, shows) => {
    expect(showsUnicode(env, terminal, true)).toBe(shows);
  });
});

describe.each(FORMAT_NAMES)('%s where only ASCII is shown', (name) => {
  it(FORMATS[name].machine ? 'is as ever' : 'is all ASCII', async () => {
    const usual = await draw(name, { ...ASCII, unicode: true });
    const text = await draw(name, ASCII);
    if (FORMATS[name].machine) expect(text).toBe(usual);
    else {
      expect(usual).toMatch(/[^\0-\x7f]/);
      expect(text).toMatch(/^[\0-\x7f]+$/);
    }
  });
});

it('the table of --stats is all ASCII', async () => {
  const reporter = await createStatsReporter(ASCII);
  const text = SAMPLE.map(reporter).join('');
  expect(text.length).toBeGreaterThan(100);
  expect(text).toMatch(/^[\0-\x7f]+$/);
});

describe('a code frame', () => {
  /** The line and the carets below it. */
  async function frame(line: Excerpt, columns: readonly [number, number], width: number): Promise<string[]> {
    const [column, endColumn] = columns;
    const found: Violation = { ...violation({}), line: 1, endLine: 1, column, endColumn };
    const event = eventOf(found, line);
    const reporter = await createReporter('pretty', { ...ASCII, stats: false, width });
    await reporter.prepare?.([event]);
    const drawn = (reporter(event) + (reporter.flush?.() ?? '')).split('\n');
    const at = drawn.findIndex((text) => text.startsWith('   1 | '));
    return drawn.slice(at, at + 2).map((text) => text.slice(7));
  }

  it('has carets under the escapes of what they mean', async () => {
    expect(await frame(excerpt('{"é":"日…😀"}'), [7, 11], 80)).toEqual([
      '{"\\u00e9":"\\u65e5\\u2026\\u{1f600}"}',
      '           ^^^^^^^^^^^^^^^^^^^^^',
    ]);
  });

  it('has a caret without text under it, before, after and beyond the text', async () => {
    expect(await frame(excerpt('é'), [1, 1], 80)).toEqual(['\\u00e9', '^']);
    expect(await frame(excerpt('é'), [2, 2], 80)).toEqual(['\\u00e9', '      ^']);
    expect(await frame(excerpt('é'), [9, 12], 80)).toEqual(['\\u00e9', '      ^']);
  });

  it('is marked where it is cut off, one column wide', async () => {
    const text = `${'a'.repeat(40)}é${'b'.repeat(40)}`;
    const [line, carets] = await frame(excerpt(text), [41, 42], 40);
    expect(line).toMatch(/^~a+\\u00e9b+~$/);
    expect(line!.length).toBeLessThanOrEqual(33);
    expect(carets!.indexOf('^')).toBe(line!.indexOf('\\'));
    expect(carets!.trim()).toBe('^^^^^^');
  });

  it('goes on beyond the mark where the span does', async () => {
    const [line, carets] = await frame(excerpt('"'.concat('é'.repeat(30))), [1, 99], 40);
    expect(line!.endsWith('~')).toBe(true);
    expect(carets).toBe('^'.repeat(line!.length));
  });
});

it.each([
  [{ TERM: 'dumb' }, /^\d+ kB - 3 payloads - \d+ kB\/s$/],
  [{ TERM: 'xterm' }, /^\d+ kB · 3 payloads · \d+ kB\/s$/],
])('the progress line of %j', (env, expected) => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const written: string[] = [];
  const stderr = { isTTY: true, columns: 80, write: (text: string) => written.push(text) };
  const io = { env, stderr, now: () => now } as unknown as Io; // all that it looks at
  const stdin: Source = { name: '<stdin>', path: null, regular: false, framing: null, kind: null };
  const progress = new ProgressLine(io, [stdin], true);
  now = 2000;
  progress.update(3, 40_000);
  vi.restoreAllMocks();
  expect(written.join('')).toMatch(expected);
});
