/**
 * No test waits for a time: it waits for an event (a line, a byte, a file, an exit), on a busy machine as long as that takes. Where time passes
 * all the same, the test does not depend on how much, and the reason is here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** By file and the call as it stands there. */
const ALLOWED: readonly (readonly [file: string, call: string, reason: string])[] = [
  [
    'cli/process.all.test.ts',
    'setTimeout(() => {}, 300)',
    'a writer that comes late; the run waits for it, however long',
  ],
  ['cli/process.all.test.ts', 'setTimeout(() => {}, 200)', 'a writer that pauses; the run waits for it, however long'],
  ['cli/process.all.test.ts', 'setTimeout(500)', 'nothing shows that a pipe is being opened; too soon is the same end'],
  ['cli/process.all.test.ts', 'setTimeout(200)', 'two signals at once are one: more come until the run has ended'],
  ['cli/terminal.test.ts', 'setTimeout(5000, undefined, { ref: false })', 'input that never ends: the run ends before'],
  ['cli/terminal.test.ts', 'setTimeout(50)', 'a turn for the progress line, whose clock is set by the test'],
  ['cli/watch.test.ts', 'setTimeout(wait, 20)', 'looks again until the round has printed'],
  ['repair/fill-process.all.test.ts', 'setTimeout(delay)', 'signals at many moments of a run: each must end well'],
  ['repair/fill-process.all.test.ts', 'setTimeout(3 * i)', 'signals at many moments of a run: each must end well'],
  ['lsp/lsp-life.all.test.ts', 'setInterval(() => {}, 1000)', 'a process that stays until it is ended'],
  ['schema/costly-schemas.test.ts', 'wait(delay)', 'tries again with twice the time until the run has read its line'],
  ['source/input-bytes.test.ts', 'setTimeout(5)', 'what comes later: the reader waits for it, however long'],
  ['source/input-bytes.test.ts', 'setTimeout(2)', 'what comes in pieces: the reader waits for each, however long'],
  ['spawned.ts', 'setTimeout(() => process.stdin.pipe(process.stdout), 500)', 'a reader that comes late is waited for'],
  ['threads-world.ts', 'setTimeout(resolve, pause)', 'this thread takes sources later than others; any order is right'],
  ['write/fill-killed.all.test.ts', 'setTimeout(i)', 'signals at many moments of a run: each must end well'],
];

const FILES = readdirSync(import.meta.dirname, { withFileTypes: true })
  .flatMap((entry) =>
    entry.isDirectory() && entry.name !== 'tmp'
      ? readdirSync(join(import.meta.dirname, entry.name)).map((name) => `${entry.name}/${name}`)
      : entry.name,
  )
  .filter((name) => name.endsWith('.ts') && name !== 'timers.test.ts');

/** Calls that let time pass: all timers but those of no or one millisecond, which are a turn of this process; and `sleep` in a shell. */
function* timersIn(code: string): Generator<string> {
  const bare = code.replace(/^\s*\/?\*.*$|(?<!:)\/\/.*$/gm, '');
  const names = [...bare.matchAll(/\bsetTimeout as (\w+)/g)].map(([, name]) => name!);
  const calls = new RegExp(`(?<![\\w.])(?:setTimeout|setInterval${names.map((name) => `|${name}`).join('')})\\(`, 'g');
  for (const { index } of bare.matchAll(calls)) {
    const call = callAt(bare, index);
    if (!/^\w+\((?:[01]|\w+, [01]|\(\) => \{\}, [01])\)$/.test(call)) yield call;
  }
  for (const [sleep] of bare.matchAll(/(?<=[`'";{&|]\s*)sleep [\d.]+/g)) yield sleep;
}

/** The text of a call to the parenthesis that closes it. */
function callAt(code: string, from: number): string {
  let depth = 0;
  for (let at = code.indexOf('(', from); at < code.length; at++) {
    if (code[at] === '(') depth++;
    else if (code[at] === ')' && --depth === 0) return code.slice(from, at + 1);
  }
  return code.slice(from);
}

it('knows timers by any name', () => {
  const code =
    "import { setTimeout as wait } from 'node:timers/promises';\nawait wait(0); wait(7); sh(`sleep 1; x`); setTimeout(f(1), 2);";
  expect([...timersIn(code)]).toEqual(['wait(7)', 'setTimeout(f(1), 2)', 'sleep 1']);
});

it('tests wait for events', () => {
  const found = FILES.flatMap((file) =>
    [...new Set(timersIn(readFileSync(join(import.meta.dirname, file), 'utf8')))].map((call) => `${file}: ${call}`),
  );
  expect(found.sort()).toEqual(ALLOWED.map(([file, call]) => `${file}: ${call}`).sort());
});
