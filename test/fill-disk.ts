/**
 * A disk for tests of `fill --write`, any call of which can fail or answer otherwise, and a source that is written to it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { seeded } from '../scripts/mutations/mutate.ts';
import type { InPlaceDestination } from '../src/run/outlets/in-place-destination.ts';
import type { SourceOutcome } from '../src/run/outlets/outlet.ts';
import { reread } from '../src/source/open-bytes.ts';
import type { Source } from '../src/types.ts';
import { type Disk, REAL_DISK } from '../src/write/disk.ts';

/** Bytes that compress to little less, so that there is something to write. */
const random = seeded(1);
export const BEFORE = Buffer.concat([
  Buffer.from(Array.from({ length: 100_000 }, () => random(256))),
  Buffer.from('old'),
]);
export const AFTER = Buffer.concat([BEFORE.subarray(0, 50_000), Buffer.from('filled'), BEFORE.subarray(50_000)]);

/** Has the target take a source in pieces: unchanged, changed, unchanged. `meanwhile`: what others do before it is at its end. */
export async function leave(target: InPlaceDestination, source: Source, meanwhile = () => {}): Promise<SourceOutcome> {
  target.begin(source);
  target.bytes(AFTER.subarray(0, 30_000), false);
  await target.flush();
  target.bytes(AFTER.subarray(30_000, 60_006), true);
  await target.flush();
  target.bytes(AFTER.subarray(60_006), false);
  meanwhile();
  const [left] = (await target.end(true)) as [SourceOutcome]; // it is too large to wait
  // Only what comes after the file is in its place is said of a file that is.
  expect(left.done).toBe(left.failure === null || left.failure.startsWith('was written, but '));
  return left;
}

/** As `leave`; what kept the source from being written. */
export async function write(
  target: InPlaceDestination,
  source: Source,
  meanwhile?: () => void,
): Promise<string | null> {
  const { failure } = await leave(target, source, meanwhile);
  return failure;
}

export function sourcesIn(folder: string): Source[] {
  return readdirSync(folder).map((name) => ({
    name,
    path: join(folder, name),
    regular: false,
    framing: null,
    kind: null,
  }));
}

export const read = (source: Source): AsyncIterable<Buffer> => reread(source, new AbortController().signal);
export const contentOf = (path: string): Buffer =>
  path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path);
type Call = (...args: unknown[]) => unknown;

/** The disk, but for what `fake` does in place of a call; null: it is made as it is. */
export function diskWith(
  fake: (name: keyof Disk, call: () => unknown, args: unknown[]) => unknown,
  base: Disk = REAL_DISK,
): Disk {
  return new Proxy(base, {
    get:
      (real, name: keyof Disk) =>
      (...args: unknown[]) =>
        fake(name, () => (real[name] as Call)(...args), args),
  });
}

export function deny(code = 'EPERM'): never {
  const errno = Object.entries(constants.errno).find(([name]) => name === code)?.[1];
  throw Object.assign(new Error(code), { code, ...(errno === undefined ? {} : { errno: -errno }) });
}

/** No process is started for each of hundreds of files; what cp does is seen in `fill-attributes.test.ts`. */
export const withoutCp = diskWith((name, call, [, args]) =>
  name === 'runTool'
    ? { status: 0, stdout: (args as string[])[0] === '--version' ? 'cp (GNU coreutils) 9.1' : '', stderr: '' }
    : call(),
);
export const macOs = diskWith((name, call) => (name === 'platform' ? 'darwin' : call()), withoutCp);

/** These ask, and do nothing. */
const QUESTIONS: readonly string[] = ['platform', 'pause'];

/** `base`, but its `nth` call fails, and with `forGood` every later call of that name; tells which it was. */
export function failing(
  base: Disk,
  nth: number,
  code: string,
  forGood: boolean,
): { disk: Disk; failed: () => string | null } {
  let calls = 0;
  let failed: string | null = null;
  const disk = diskWith((name, call) => {
    if (QUESTIONS.includes(name)) return call();
    const fails = ++calls === nth || (forGood && name === failed);
    if (fails) failed = name;
    // What fails to be closed is closed all the same.
    const answer = fails && name !== 'closeSync' ? null : call();
    if (fails) throw Object.assign(new Error(code), { code });
    return answer;
  }, base);
  return { disk, failed: () => failed };
}
