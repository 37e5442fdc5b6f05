/**
 * The text of a baseline: a line that identifies the file, then one line per entry, sorted, each after a blank line. If
 * an entry is removed, its blank line stays. So git can merge two branches that remove neighbouring entries, because
 * their changes do not touch.
 */
import { dirname, relative, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { slashed } from '../input/path-text.ts';
import { jsonText, visible } from '../words/escape.ts';
import { type Known, keyOf } from './baseline.ts';

const FORMAT = 'paylint-baseline';
const VERSION = 1;
const HEAD = jsonText({ format: FORMAT, version: VERSION });

/** If there are more blank lines than this, and more than entries, the text is written again without them. */
const MOST_LEFT_OVER = 100;

/** The name of standard input in reports and in baselines, unless a flag gives it another. */
export const STDIN = '<stdin>';

/** Names in the baseline at the absolute `path` for files of a report of a run in `cwd`: relative to the baseline's folder. */
export function namesIn(path: string, cwd: string): (file: string) => string {
  return (file) => (file === STDIN ? file : slashed(relative(dirname(path), resolve(cwd, file))));
}

/** The entries in `text`, which may begin with a byte order mark; `name`: of the file, for messages. Throws UsageError with the line at fault. */
export function readBaseline(text: string, name: string): Known[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const fail = (index: number, why: string): UsageError =>
    new UsageError(`${visible(name)}:${index + 1}: ${why}`);
  if (text.trim() === '')
    throw fail(0, 'the baseline is empty; delete it, and --update-baseline makes a new one');
  const head = parsed(lines[0] ?? '');
  if (head === null || head.format !== FORMAT)
    throw fail(0, `this is not a baseline, which begins with the line ${HEAD}`);
  if (head.version !== VERSION) throw fail(0, 'this baseline is of another version of paylint');
  const known: Known[] = [];
  const lineOf = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue;
    if (/^(<{7}|={7}|>{7}|\|{7})/.test(line))
      throw fail(
        index,
        'there is a conflict of a merge; keep the entries of both sides, or make a new baseline',
      );
    const entry = entryOf(line);
    if (entry === null)
      throw fail(index, 'expected an entry, {"file": …, "pointer": …, "rule": …, "count": at least 1}');
    const earlier = lineOf.get(keyOf(entry));
    if (earlier !== undefined) throw fail(index, `the same entry as in line ${earlier + 1}`);
    lineOf.set(keyOf(entry), index);
    known.push(entry);
  }
  return known;
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function entryOf(line: string): Known | null {
  const { file, pointer, rule, count, ...others } = parsed(line) ?? {};
  if (typeof file !== 'string' || typeof pointer !== 'string' || typeof rule !== 'string') return null;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1) return null;
  return Object.keys(others).length === 0 ? { file, pointer, rule, count } : null;
}

/**
 * The text for `entries`, which are sorted. `before`: the text of the same file before, which must be a baseline; null:
 * there is none.
 */
export function baselineText(entries: readonly Known[], before: string | null): string {
  const lines = before?.split(/\r?\n/) ?? [];
  const keys = lines.flatMap((line, i) => (i === 0 || line.trim() === '' ? [] : [keyOf(entryOf(line)!)])); // parsed before
  const isSorted = keys.every((key, i) => i === 0 || keys[i - 1]! < key);
  const leftOver = lines.length - 1 - 2 * keys.length;
  const isAnew = before === null || !isSorted || leftOver > Math.max(MOST_LEFT_OVER, keys.length);
  const kept = isAnew ? [] : lines.slice(1, lines.at(-1) === '' ? -1 : undefined);
  return `${[HEAD, ...woven(entries, kept)].join('\n')}\n`;
}

/** The lines of `entries` among those of `before`, whose blank lines are kept. */
function woven(entries: readonly Known[], before: readonly string[]): string[] {
  const lines: string[] = [];
  let next = 0;
  const addUntil = (key: string | null): void => {
    for (; next < entries.length && (key === null || keyOf(entries[next]!) < key); next++)
      lines.push('', jsonText(entries[next]));
  };
  let blanks = 0;
  const addBlanks = (): void => {
    for (; blanks > 0; blanks--) lines.push('');
  };
  for (const line of before) {
    if (line.trim() === '') {
      blanks++;
      continue;
    }
    const key = keyOf(entryOf(line)!); // it was parsed before
    addUntil(key);
    addBlanks();
    if (next < entries.length && keyOf(entries[next]!) === key) lines.push(jsonText(entries[next++]));
  }
  addUntil(null);
  addBlanks();
  return lines;
}
