/** The text of an open document, against a string that is changed in the same way. */
import { describe, expect, it } from 'vitest';
import { LineText } from '../../src/lsp/line-text.ts';

const PARTS = ['a', '\n', '\n\n', 'é', '👍', '\r\n', 'bcd', '\ufeff', '{"a":1}\n{"b":2}\n'];

/** Always the same numbers for a seed. */
function randomOf(start: number): (below: number) => number {
  let seed = start;
  return (below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
}

function positionIn(text: string, offset: number) {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)!.length };
}

function linesOf(text: LineText<string>): string[] {
  return Array.from({ length: text.lineCount }, (_, line) => text.line(line)!);
}

describe('a text of lines', () => {
  it.each([1, 2, 3])('is the string that it stands for, after any change: seed %i', (seed) => {
    const random = randomOf(seed);
    const some = (most: number): string =>
      Array.from({ length: random(most) }, () => PARTS[random(PARTS.length)]!).join('');
    let text = some(50);
    const lines = new LineText<string>(text, 'utf-16');
    for (let i = 0; i < 500; i++) {
      const characters = [...text];
      const [from, to] = [random(characters.length + 1), random(characters.length + 1)].sort((a, b) => a - b);
      const before = characters.slice(0, from).join('');
      const after = characters.slice(random(4) === 0 ? to! : Math.min(from! + 2, characters.length)).join('');
      const added = some(random(5) === 0 ? 40 : 3);
      const start = positionIn(text, before.length);
      const end = positionIn(text, text.length - after.length);
      lines.apply({ range: { start, end }, text: added });
      text = before + added + after;
      expect(linesOf(lines)).toEqual(text.split('\n'));
      expect([lines.size, lines.changes]).toEqual([Buffer.byteLength(text), i + 1]);
      expect(lines.text()).toBe(text);
      const units = random(text.length + 3);
      expect(lines.head(units)).toBe(text.slice(0, units));
      const offset = random(text.length + 1);
      expect(lines.offsetAt(lines.positionAt(offset))).toBe(offset);
    }
  });

  it('keeps what is known of the lines that a change leaves', () => {
    const lines = new LineText<string>('a\nb\nc\nd', 'utf-16');
    for (const [line, known] of ['A', 'B', 'C', 'D'].entries()) lines.setKnown(line, known);
    lines.apply({
      range: { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } },
      text: 'x\ny\nz',
    });
    expect(linesOf(lines)).toEqual(['a', 'x', 'y', 'zc', 'd']);
    expect(lines.known).toEqual(['A', null, null, null, 'D']);
    const range = { start: { line: 0, character: 1 }, end: { line: 0, character: 1 } };
    lines.apply({ range, text: '\n'.repeat(20_000) });
    expect(lines.lineCount).toBe(20_005);
    expect([lines.known[0], lines.known[20_000], lines.known[20_004]]).toEqual([null, null, 'D']);
    lines.forget();
    expect(new Set(lines.known)).toEqual(new Set([null]));
    lines.apply({ text: 'new' });
    expect([linesOf(lines), lines.known]).toEqual([['new'], [null]]);
  });
});
