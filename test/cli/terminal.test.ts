/**
 * What a terminal sees beside reports: a progress line for work that takes a while, which goes again, however the run ends.
 */
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SCRATCH } from '../tools.ts';
import { paylint, type WorldResult } from '../world.ts';

const VALID = '{"@context":"c","@type":"t","emoji":"x"}';

describe('a terminal', () => {
  let now = 0;
  const args = ['validate', '-', '--input', 'lines', '--color'];

  /** Standard input of five payloads, with a pause of this many milliseconds in the middle. */
  async function* slow(milliseconds: number): AsyncGenerator<Buffer> {
    yield Buffer.from(`${VALID}\n`.repeat(3));
    now += milliseconds;
    yield Buffer.from(`${VALID}\n`);
    yield Buffer.from(VALID);
  }

  function run(milliseconds: number, columns: number | null, ...more: string[]): Promise<WorldResult> {
    now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const terminal = columns === null ? {} : { columns };
    const stdin = Readable.from(slow(milliseconds), { objectMode: true, highWaterMark: 1 });
    return paylint([...args, ...more], { cwd: SCRATCH, stdin, ...terminal });
  }
  afterEach(() => vi.restoreAllMocks());

  it('sees a progress line for work of more than a second, and sees it go', async () => {
    const { code, stderr } = await run(1001, 80);
    expect(stderr).toMatch(/^\x1b\[1G\d+ B · [345] payloads · \d+ B\/s\x1b\[0K.*\x1b\[1G\x1b\[2K$/s);
    expect(code).toBe(0);
  });

  it('sees no more of it than it is wide', async () => {
    const { stderr } = await run(1001, 16);
    expect(stderr).toMatch(/^\x1b\[1G[^\x1b]{15}\x1b\[0K/);
  });

  it('sees none for less work', async () => {
    expect((await run(999, 80)).stderr).toBe('');
  });

  it('sees none with --quiet', async () => {
    expect(await run(1001, 80, '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('that is none never sees one', async () => {
    expect((await run(10_000, null)).stderr).toBe('');
  });

  it('that is closed ends the run with 129, and cannot be written', async () => {
    const hangUp = new AbortController();
    async function* closing(): AsyncGenerator<Buffer> {
      yield* slow(10);
      hangUp.abort('SIGHUP');
      await setTimeout(5000, undefined, { ref: false });
    }
    const stdin = Readable.from(closing(), { objectMode: true, highWaterMark: 1 });
    const lost = { after: 0, code: 'EIO' };
    const options = { cwd: SCRATCH, stdin, columns: 80, interrupt: hangUp.signal, lost };
    expect(await paylint([...args, '--format', 'line'], options)).toMatchObject({ code: 129, stderr: '' });
  });

  it('has its progress line taken away when the user interrupts', async () => {
    const interrupt = new AbortController();
    now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    async function* interrupted(): AsyncGenerator<Buffer> {
      yield* slow(1001);
      await setTimeout(50);
      interrupt.abort();
      await setTimeout(5000, undefined, { ref: false });
    }
    const { code, stderr } = await paylint(args, {
      cwd: SCRATCH,
      stdin: Readable.from(interrupted(), { objectMode: true, highWaterMark: 1 }),
      columns: 80,
      interrupt: interrupt.signal,
    });
    expect(code).toBe(130);
    expect(stderr).toMatch(/payloads.*\x1b\[1G\x1b\[2K$/s);
  });
});
