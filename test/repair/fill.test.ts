/**
 * `paylint fill` on each of the fixtures, byte for byte, in each of its ways: to standard output, into the file, as a check, as a diff;
 * compressed, and from standard input; and `validate --with-defaults`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parsePointer } from '../../src/json/pointer.ts';
import {
  appliers,
  applyBoth,
  changing,
  eventsIn,
  fillsIn,
  fixtures,
  place,
  type Result,
  root,
  run,
  statsOf,
} from '../fill-run.ts';

/** Without the note of a run in which no payload is of a kind. */
const withoutHint = (stderr: string | Buffer): string =>
  stderr.toString().replace(/^paylint: note: no payload is of a built-in kind; .*\n/m, '');

it('there are fixtures', () => {
  expect(changing.length).toBeGreaterThan(15);
  expect(fixtures.length).toBeGreaterThan(changing.length);
});

describe.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s', (_, fixture) => {
  const { file, before, after, flags } = fixture;
  const changes = !before.equals(after);

  it('to standard output', async () => {
    const folder = place({ [file]: before });
    const { stdout } = await run(['fill', ...flags, file], folder);
    expect(stdout.equals(after)).toBe(true);
    expect(readFileSync(join(folder, file)).equals(before)).toBe(true);
  });

  it('from standard input', async () => {
    const framing = file.endsWith('.json') ? 'json' : 'lines';
    const { stdout } = await run(['fill', ...flags, '--input', framing], root(), before);
    expect(stdout.equals(after)).toBe(true);
  });

  it('into the file, once', async () => {
    const folder = place({ [file]: before });
    const path = join(folder, file);
    const stats = statsOf(path);
    const { stderr } = await run(['fill', '--write', ...flags, file], folder);
    expect(withoutHint(stderr)).toBe('');
    expect(readFileSync(path).equals(after)).toBe(true);
    expect(readdirSync(folder)).toEqual([file]);
    if (!changes) expect(statsOf(path)).toEqual(stats);
    const once = statsOf(path);
    await run(['fill', '--write', ...flags, file], folder);
    expect(readFileSync(path).equals(after)).toBe(true);
    expect(statsOf(path)).toEqual(once);
  });

  it('compressed', async () => {
    const name = `${file}.gz`;
    const folder = place({ [name]: gzipSync(before) });
    expect((await run(['fill', ...flags, name], folder)).stdout.equals(after)).toBe(true);
    const stats = statsOf(join(folder, name));
    await run(['fill', '--write', ...flags, name], folder);
    expect(gunzipSync(readFileSync(join(folder, name))).equals(after)).toBe(true);
    if (!changes) expect(statsOf(join(folder, name))).toEqual(stats);
  });

  it('as a check', async () => {
    const folder = place({ [file]: before });
    const stats = statsOf(join(folder, file));
    const { code, stdout, stderr } = await run(['fill', '--check', '--format', 'line', ...flags, file], folder);
    expect(statsOf(join(folder, file))).toEqual(stats);
    expect(readFileSync(join(folder, file)).equals(before)).toBe(true);
    expect(
      stdout
        .toString()
        .split('\n')
        .some((line) => line.startsWith(`${file}: `)),
    ).toBe(changes);
    expect(stdout.toString().includes('would fill ')).toBe(changes);
    expect(withoutHint(stderr)).toBe('');
    const valid = (await run(['validate', ...flags, '-'], root(), after)).code === 0;
    expect(code).toBe(changes || !valid ? 1 : 0);
  });

  it('as a diff', async () => {
    const { stdout } = await run(['fill', '--diff', ...flags, file], place({ [file]: before }));
    expect(stdout.length > 0).toBe(changes);
  });

  if (changes)
    it.skipIf(appliers.missing)(`as a diff that others apply${appliers.note}`, async () => {
      const folder = place({ [file]: before });
      applyBoth(folder, (await run(['fill', '--diff', ...flags, file], folder)).stdout, { [file]: after });
    });

  it('with a report of every member', async () => {
    const folder = place({ [file]: before });
    const { stdout } = await run(['fill', '--write', '--format', 'ndjson', ...flags, file], folder);
    expect(readFileSync(join(folder, file)).equals(after)).toBe(true);
    const fills = fillsIn(stdout.toString());
    const [source] = eventsIn(stdout.toString()).filter(({ type }) => type === 'source');
    expect(source).toMatchObject({ filled: fills.length });
    for (const { file: name, line, column, offset, pointer, payload, value } of fills) {
      expect(name).toBe(file);
      expect(placeAt(before, offset)).toEqual([line, column]);
      const text = file.endsWith('.json') ? after : linesOf(after)[payload]!;
      expect(valueAt(JSON.parse(withoutMark(text)), pointer)).toEqual(value);
    }
    expect(fills.length > 0).toBe(changes);
  });
});

const withoutMark = (text: Buffer): string => text.toString().replace(/^\ufeff/, '');

/** Lines that hold something. */
function linesOf(text: Buffer): Buffer[] {
  return withoutMark(text)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => Buffer.from(line));
}

function placeAt(bytes: Buffer, offset: number): [line: number, column: number] {
  const before = withoutMark(bytes.subarray(0, offset)).split('\n');
  return [before.length, before.at(-1)!.length + 1];
}

function valueAt(value: unknown, pointer: string): unknown {
  return parsePointer(pointer).reduce<unknown>((at, token) => (at as Record<string, unknown>)[token], value);
}

describe('validate --with-defaults', () => {
  it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))(
    'judges %s as it would be once filled',
    async (_, { file, before, after, flags }) => {
      const args = ['validate', '--format', 'ndjson', ...flags, file];
      const asItIs = await run(args, place({ [file]: after }));
      const asFilled = await run([...args, '--with-defaults'], place({ [file]: before }));
      const facts = ({ stdout }: Result): unknown[] =>
        eventsIn(stdout.toString()).map((event) => ({
          ...event,
          line: 0,
          endLine: 0,
          column: 0,
          endColumn: 0,
          offset: 0,
          elapsedMs: 0,
        }));
      expect(facts(asFilled)).toEqual(facts(asItIs));
      expect(asFilled.code).toBe(asItIs.code);
    },
  );
});
