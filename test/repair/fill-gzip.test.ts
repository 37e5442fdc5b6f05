/**
 * `fill --write` of compressed files: one member is written (RFC 1952), gzip itself reads it, and a file in blocks is left alone.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CONTRACT, CONTRACT_FILLED, place, run } from '../fill-run.ts';
import { sh } from '../spawned.ts';
import { needs } from '../tools.ts';

const LINE = `${JSON.stringify(JSON.parse(CONTRACT))}\n`;
const LINE_FILLED = `${JSON.stringify(JSON.parse(CONTRACT_FILLED))}\n`;

/** A member whose header has `parts` after its first 10 bytes, as `flags` say. */
function member(text: string, flags = 0, parts: Uint8Array = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.from(text);
  const header = Buffer.from([0x1f, 0x8b, 8, flags, 0x11, 0x22, 0x33, 0x44, 0, 7]);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(bytes), 0);
  trailer.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([header, parts, deflateRawSync(bytes), trailer]);
}

/** An extra field (section 2.3.1.1) with these subfields, each of four bytes. */
function extra(...names: readonly string[]): Buffer {
  const fields = names.map((name) => Buffer.from(`${name}\x02\0\x1b\0`, 'latin1'));
  return Buffer.concat([Buffer.from([6 * names.length, 0]), ...fields]);
}

/** Fills `file`, which is called `a.ndjson.gz`; what is there afterwards. */
async function fill(file: Buffer): Promise<Buffer> {
  const folder = place({ 'a.ndjson.gz': file });
  const { code, stderr } = await run(['fill', '--write', '--quiet', '.'], folder);
  expect([code, stderr, readdirSync(folder)]).toEqual([0, '', ['a.ndjson.gz']]);
  return readFileSync(join(folder, 'a.ndjson.gz'));
}

it.each<[string, Buffer, number]>([
  ['of one member', member(LINE), 1],
  ['of a member with a name', member(LINE, 8, Buffer.from('BC.ndjson\0')), 1],
  ['of a member with an extra field that is not that of a block', member(LINE, 4, extra('RA', 'Ap')), 1],
  ['of several members', Buffer.concat([member(LINE), member(LINE.repeat(2)), member(LINE)]), 4],
  [
    'of members that end within lines, or are empty',
    Buffer.concat(['', LINE.slice(0, 9), '', LINE.slice(9)].map((text) => member(text))),
    1,
  ],
  ['of members and padding', Buffer.concat([member(LINE), member(LINE), Buffer.alloc(1000)]), 2],
  ['of megabytes', Buffer.concat([gzipSync(LINE.repeat(3000)), gzipSync(LINE.repeat(3000))]), 6000],
])('a file %s is one member afterwards', async (_, file, lines) => {
  const after = await fill(file);
  expect(gunzipSync(after).toString() === LINE_FILLED.repeat(lines)).toBe(true);
  expect(after.indexOf(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), 1)).toBe(-1);
});

describe('a file in blocks is left as it is', () => {
  const IN_BLOCKS =
    'paylint: a.ndjson.gz: cannot be written: it is in blocks (bgzip); fill writes one gzip member, which would lose them\n';

  it.each([
    ['as bgzip makes them', extra('BC')],
    ['with another extra field before', extra('Ap', 'BC')],
  ])('%s', async (_, parts) => {
    const file = Buffer.concat([member(LINE, 4, parts), member('', 4, parts)]);
    const folder = place({ 'a.ndjson.gz': file });
    const { code, stderr } = await run(['fill', '--write', '--quiet', '.'], folder);
    expect([code, stderr]).toEqual([2, IN_BLOCKS]);
    expect(readFileSync(join(folder, 'a.ndjson.gz')).equals(file)).toBe(true);
    expect(readdirSync(folder)).toEqual(['a.ndjson.gz']);
  });

  const bgzip = needs('bgzip');

  it.skipIf(bgzip.missing)(`by bgzip itself${bgzip.note}`, async () => {
    const folder = place({ 'a.ndjson': LINE });
    bgzip.run('bgzip', ['a.ndjson'], { cwd: folder });
    const { code, stderr } = await run(['fill', '--write', '--quiet', '.'], folder);
    expect([code, stderr]).toEqual([2, IN_BLOCKS]);
  });
});

const gzip = needs('gzip', 'cat');

it.skipIf(gzip.missing)(`gzip reads what is written${gzip.note}`, async () => {
  const folder = place({ 'a.ndjson': LINE, 'b.ndjson': LINE.repeat(3) });
  const made = await sh(folder, 'gzip -9N *.ndjson && cat *.gz > c.ndjson.gz', gzip);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  for (const name of ['a.ndjson.gz', 'b.ndjson.gz']) rmSync(join(folder, name));
  expect((await run(['fill', '--write', '--quiet', '.'], folder)).code).toBe(0);
  gzip.run('gzip', ['-d', 'c.ndjson.gz'], { cwd: folder });
  expect(readFileSync(join(folder, 'c.ndjson'), 'utf8')).toBe(LINE_FILLED.repeat(4));
});
