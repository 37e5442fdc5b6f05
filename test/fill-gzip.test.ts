/**
 * `fill --write` of compressed files: what a header says (RFC 1952), the members and the effort stay, and gzip itself reads what is
 * written.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync, gunzipSync, gzipSync, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { seeded } from '../scripts/mutations/mutate.ts';
import { CONTRACT, CONTRACT_FILLED, place, run } from './fill-run.ts';
import { sh } from './spawned.ts';
import { needs } from './tools.ts';

const LINE = `${JSON.stringify(JSON.parse(CONTRACT))}\n`;
const LINE_FILLED = `${JSON.stringify(JSON.parse(CONTRACT_FILLED))}\n`;

interface Member {
  readonly header: Buffer;
  readonly text: string;
  readonly deflated: Buffer;
}

/** Reads members, each of which is small, by the book. */
function membersOf(file: Buffer): Member[] {
  const members: Member[] = [];
  for (let at = 0; at < file.length && file[at] !== 0; ) {
    expect(file.subarray(at, at + 3).toString('hex')).toBe('1f8b08');
    const flags = file[at + 3]!;
    let end = at + 10;
    for (const flag of [8, 16]) if (flags & flag) end = file.indexOf(0, end) + 1;
    if (flags & 2) {
      expect(file.readUInt16LE(end)).toBe(crc32(file.subarray(at, end)) & 0xffff);
      end += 2;
    }
    const { buffer, engine } = inflateRawSync(file.subarray(end), {
      info: true,
    } as object) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    const trailer = end + engine.bytesWritten;
    expect(file.readUInt32LE(trailer)).toBe(crc32(buffer));
    expect(file.readUInt32LE(trailer + 4)).toBe(buffer.length);
    members.push({
      header: file.subarray(at, end),
      text: buffer.toString(),
      deflated: file.subarray(end, trailer),
    });
    at = trailer + 8;
  }
  return members;
}

/** `flags` say which parts `parts` has; its own check sum is added if one of them is. */
function member(text: string, flags = 0, parts = '', effort = 0): Buffer {
  const bytes = Buffer.from(text);
  const fixed = Buffer.from([0x1f, 0x8b, 8, flags, 0x11, 0x22, 0x33, 0x44, effort, 7]);
  const header = Buffer.concat([fixed, Buffer.from(parts, 'latin1')]);
  const check = Buffer.alloc(flags & 2 ? 2 : 0);
  if (flags & 2) check.writeUInt16LE(crc32(header) & 0xffff);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(bytes), 0);
  trailer.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([header, check, deflateRawSync(bytes), trailer]);
}

/** Fills `file`, which is called `a.ndjson.gz`; what is there afterwards. */
async function fill(file: Buffer, name = 'a.ndjson.gz'): Promise<Buffer> {
  const folder = place({ [name]: file });
  const { code, stderr } = await run(['fill', '--write', '--quiet', name], folder);
  expect([code, stderr, readdirSync(folder)]).toEqual([0, '', [name]]);
  return readFileSync(join(folder, name));
}

describe('the header stays', () => {
  it.each<[string, number, string]>([
    ['nothing but what it must have', 0, ''],
    ['a mark for text', 1, ''],
    ['a name', 8, 'caf\xe9 1.ndjson\0'],
    ['a comment', 16, 'made by hand\0'],
    ['a name, a comment and a check sum', 1 | 2 | 8 | 16, 'a\0b\0'],
    ['a long name', 8, `${'n'.repeat(60_000)}\0`],
  ])('with %s', async (_, flags, parts) => {
    const [before] = membersOf(member(LINE, flags, parts));
    const [after, ...others] = membersOf(await fill(member(LINE, flags, parts)));
    expect([after!.text, others]).toEqual([LINE_FILLED, []]);
    expect(after!.header.equals(before!.header)).toBe(true);
  });

  it('but for how it was compressed, if that was fast: it is compressed as usual now', async () => {
    const [before] = membersOf(member(LINE, 2 | 8, 'a\0', 4));
    const [after] = membersOf(await fill(member(LINE, 2 | 8, 'a\0', 4)));
    expect([before!.header[8], after!.header[8]]).toEqual([4, 0]);
    expect(after!.header.subarray(9, -2).equals(before!.header.subarray(9, -2))).toBe(true);
  });
});

it.each([
  [2, 9, 2],
  [0, 6, 0],
  [4, 6, 0],
])('effort %i is kept, as level %i', async (effort, level, expected) => {
  // Text on which the levels differ.
  const random = seeded(3);
  const digits = Array.from({ length: 200_000 }, () => random(4)).join('');
  const line = LINE.replace('{', `{"other":"${digits}",`);
  const [after] = membersOf(await fill(member(line, 0, '', effort)));
  const best = deflateRawSync(Buffer.from(after!.text), { level });
  expect([after!.header[8], after!.text.length]).toEqual([
    expected,
    line.length + LINE_FILLED.length - LINE.length,
  ]);
  const other = deflateRawSync(Buffer.from(after!.text), { level: level === 9 ? 6 : 9 });
  // The compressor got the text in pieces, which may make a few bytes of difference.
  const distance = (bytes: Buffer): number => Math.abs(after!.deflated.length - bytes.length);
  expect(distance(best)).toBeLessThan(distance(other) / 4);
});

describe('members stay apart', () => {
  const names = ['one', 'two', 'three'];
  const file = (texts: readonly string[]): Buffer =>
    Buffer.concat(texts.map((text, i) => member(text, 8, `${names[i % 3]}\0`)));
  const textsOf = (bytes: Buffer): string[] => membersOf(bytes).map(({ text }) => text);

  it('as whole lines, each with its header', async () => {
    const members = membersOf(await fill(file([LINE, LINE.repeat(2), LINE])));
    expect(members.map(({ text }) => text)).toEqual([LINE_FILLED, LINE_FILLED.repeat(2), LINE_FILLED]);
    expect(members.map(({ header }) => header.toString('latin1', 10))).toEqual(['one\0', 'two\0', 'three\0']);
  });

  it('in the midst of lines, and if some are empty', async () => {
    const text = LINE.repeat(2);
    const cuts = ['', text.slice(0, 5), '', text.slice(5, LINE.length + 9), text.slice(LINE.length + 9), ''];
    const texts = textsOf(await fill(file(cuts)));
    expect(texts.join('')).toBe(LINE_FILLED.repeat(2));
    expect([texts.length, texts[0], texts[1], texts[2], texts[5]]).toEqual([6, '', text.slice(0, 5), '', '']);
    expect(texts[4]!.endsWith(LINE_FILLED.slice(-9))).toBe(true);
  });

  it('wherever they are cut: what they held stays in them, with what was inserted', async () => {
    const random = seeded(5);
    for (let i = 0; i < 20; i++) {
      const cut = random(LINE.length * 2);
      const text = LINE.repeat(2);
      const texts = textsOf(await fill(file([text.slice(0, cut), text.slice(cut)])));
      expect(texts.join('')).toBe(LINE_FILLED.repeat(2));
      // The second member begins with the same bytes as before, unless something was inserted there.
      const tail = text.slice(cut);
      const inserted = texts[1]!.length - tail.length;
      expect(inserted).toBeGreaterThanOrEqual(0);
      if (inserted === 0) expect(texts[1]).toBe(tail);
      if (cut < LINE.length && texts[1]!.length > 20)
        expect(texts[0]!.startsWith(text.slice(0, Math.min(cut, 20)))).toBe(true);
    }
  });

  it('in a file of megabytes, with and without insertions before them', async () => {
    const count = 3000;
    const texts = [LINE_FILLED.repeat(count), LINE.repeat(count), LINE_FILLED.repeat(10), LINE.repeat(count)];
    const members = await fill(Buffer.concat(texts.map((text) => gzipSync(text))));
    const filled = LINE_FILLED.repeat(count);
    const sizes: number[] = [];
    for (let at = 0, from = 0; at < members.length; ) {
      // The library reads all members at once, so each is taken by the length at its end.
      const next = members.indexOf(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), at + 10);
      at = next < 0 ? members.length : next;
      sizes.push(gunzipSync(members.subarray(from, at)).length);
      from = at;
    }
    expect(sizes).toEqual([filled.length, filled.length, LINE_FILLED.length * 10, filled.length]);
    expect(gunzipSync(members).equals(Buffer.from(filled.repeat(3) + LINE_FILLED.repeat(10)))).toBe(true);
  });

  it('in a file of another name, but only about where they ended', async () => {
    const members = membersOf(await fill(file([LINE.repeat(2), LINE]), 'a.json.gz.1'));
    expect(members.map(({ header }) => header.toString('latin1', 10))).toEqual(['one\0', 'two\0']);
    expect(members.map(({ text }) => text).join('')).toBe(LINE_FILLED.repeat(3));
    expect(members[0]!.text.startsWith(LINE_FILLED)).toBe(true);
  });

  it('but what only looks like a header within a member begins none', async () => {
    // A stored block shows its text as it is; control characters may be in an invalid payload, beside one that is filled.
    const text = `"\x1f\x8b\b\0"\n${LINE}`;
    const bytes = Buffer.from(text, 'latin1');
    const stored = gzipSync(bytes, { level: 0 });
    expect(stored.indexOf(Buffer.from([0x1f, 0x8b, 8, 0]), 10)).toBeGreaterThan(0);
    const folder = place({ 'a.ndjson.gz': stored });
    await run(['fill', '--write', '--quiet', 'a.ndjson.gz'], folder);
    const after = readFileSync(join(folder, 'a.ndjson.gz'));
    const expected = Buffer.concat([bytes.subarray(0, 7), Buffer.from(LINE_FILLED)]);
    expect([gunzipSync(after).equals(expected), after.length < stored.length]).toEqual([true, true]);
    expect(membersOf(after)).toHaveLength(1);
  });

  it('and zeros after them are no member', async () => {
    const padded = Buffer.concat([file([LINE, LINE]), Buffer.alloc(1000)]);
    expect(textsOf(await fill(padded))).toEqual([LINE_FILLED, LINE_FILLED]);
  });
});

describe('a file of blocks with an index is left as it is', () => {
  const extra = Buffer.from('1f8b08040000000000ff0600424302001b0003000000000000000000', 'hex');
  const EXTRA =
    'cannot be written: its gzip header has an extra field, as those of bgzip and dictzip: an index of its blocks would no longer fit; decompress it first';
  /** As bgzip writes it: a header with the size of the block, the block, and an empty block at the end. */
  const block = (text: string): Buffer => {
    const deflated = deflateRawSync(Buffer.from(text));
    const header = Buffer.from('1f8b08040000000000ff06004243020000000000', 'hex').subarray(0, 18);
    header.writeUInt16LE(18 + deflated.length + 8 - 1, 16);
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(Buffer.from(text)), 0);
    trailer.writeUInt32LE(text.length, 4);
    return Buffer.concat([header, deflated, trailer]);
  };

  it.each([
    ['from its first block on', [block(LINE), extra]],
    ['from a later one on', [member(LINE), block(LINE)]],
  ])('%s', async (_, blocks) => {
    const file = Buffer.concat(blocks);
    const folder = place({ 'a.ndjson.gz': file });
    const { code, stderr } = await run(['fill', '--write', '--quiet', '.'], folder);
    expect([code, stderr]).toEqual([2, `paylint: a.ndjson.gz: ${EXTRA}\n`]);
    expect(readFileSync(join(folder, 'a.ndjson.gz')).equals(file)).toBe(true);
    expect(readdirSync(folder)).toEqual(['a.ndjson.gz']);
  });

  const bgzip = needs('bgzip');

  it.skipIf(bgzip.missing)(`as bgzip makes it${bgzip.note}`, async () => {
    const folder = place({ 'a.ndjson': LINE });
    bgzip.run('bgzip', ['a.ndjson'], { cwd: folder });
    const { code, stderr } = await run(['fill', '--write', '--quiet', '.'], folder);
    expect([code, stderr]).toEqual([2, `paylint: a.ndjson.gz: ${EXTRA}\n`]);
  });
});

const gzip = needs('gzip');

describe.skipIf(gzip.missing)(`gzip${gzip.note}`, () => {
  it('reads what is written, with the name and the time that it wrote', async () => {
    const folder = place({ 'a.json': CONTRACT, 'b.ndjson': LINE });
    gzip.run('gzip', ['-9N', 'a.json'], { cwd: folder });
    gzip.run('gzip', ['-1N', 'b.ndjson'], { cwd: folder });
    const list = (name: string): string[] => {
      const lines = gzip.run('gzip', ['-lNv', name], { cwd: folder }).split('\n');
      const [, , month, day, time, , , , file] = lines[1]!.split(/\s+/);
      return [month!, day!, time!, file!];
    };
    const before = [list('a.json.gz'), list('b.ndjson.gz')];
    const { code } = await run(['fill', '--write', '--quiet', '.'], folder);
    expect(code).toBe(0);
    expect([list('a.json.gz'), list('b.ndjson.gz')]).toEqual(before);
    gzip.run('gzip', ['-t', 'a.json.gz', 'b.ndjson.gz'], { cwd: folder });
    gzip.run('gzip', ['-dN', 'a.json.gz', 'b.ndjson.gz'], { cwd: folder });
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe(CONTRACT_FILLED);
    expect(readFileSync(join(folder, 'b.ndjson'), 'utf8')).toBe(LINE_FILLED);
  });

  const cat = needs('gzip', 'cat');

  it.skipIf(cat.missing)(`reads members that were put together by cat${cat.note}`, async () => {
    const folder = place({ 'a.ndjson': LINE, 'b.ndjson': LINE.repeat(3) });
    expect(await sh(folder, 'gzip -N *.ndjson && cat *.gz > c.ndjson.gz', cat)).toMatchObject({
      code: 0,
      stderr: '',
    });
    for (const name of ['a.ndjson.gz', 'b.ndjson.gz']) rmSync(join(folder, name));
    expect((await run(['fill', '--write', '--quiet', '.'], folder)).code).toBe(0);
    gzip.run('gzip', ['-t', 'c.ndjson.gz'], { cwd: folder });
    const file = readFileSync(join(folder, 'c.ndjson.gz'));
    expect(membersOf(file).map(({ text }) => text)).toEqual([LINE_FILLED, LINE_FILLED.repeat(3)]);
    expect(membersOf(file).map(({ header }) => header.toString('latin1', 10))).toEqual([
      'a.ndjson\0',
      'b.ndjson\0',
    ]);
  });
});
