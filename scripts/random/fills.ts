/**
 * What every fill promises, whatever the schema: it only adds, twice is once, a valid payload stays valid, and the
 * commands give what the library does.
 */
import { isJson } from '../json-text.ts';
import type { Subject } from './routes.ts';

export async function compareFills(subject: Subject): Promise<void> {
  const { texts, laidOut, random, differ } = subject;
  const paylint = await subject.open();
  for (const deep of [false, true]) {
    const filled = texts.map((text, i) => {
      const { text: result, edits, valid, fills, violations } = paylint.fill(text, { deep });
      const fail = (what: string): void => differ(`fill${deep ? ' --deep' : ''}: ${what}`, i, result);
      const inserted = [...edits]
        .reverse()
        .reduce((all, { offset, text: added }) => all.slice(0, offset) + added + all.slice(offset), text);
      if (inserted !== result) fail('the edits do not give the text');
      if (paylint.fill(result, { deep }).text !== result) fail('twice is not once');
      const [before, after] = [paylint.validate(text), paylint.validate(result)];
      const isUndone = violations.some(({ rule }) => rule === 'unsafe-default' || rule === 'unknown-kind');
      if (before.valid && !after.valid) fail('a valid payload is not valid any more');
      if (!isUndone && after.valid !== valid) fail('another verdict');
      if (Buffer.from(paylint.fill(Buffer.from(text), { deep }).text).toString() !== result) fail('bytes');
      const isFixable = before.violations.some(({ fix }) => fix === 'fill');
      if (isFixable && fills.length === 0 && !isUndone) fail('a violation is fixable, but nothing was filled in');
      const pretty = paylint.fill(laidOut[i]!, { deep }).text;
      if (isJson(text) && JSON.stringify(JSON.parse(pretty)) !== JSON.stringify(JSON.parse(result)))
        fail('another layout');
      const isEndless = violations.some(({ rule }) => rule === 'nested-too-deep');
      return { i, text, result, valid, isEndless };
    });
    // Defaults without end take seconds.
    if (filled.some(({ isEndless }) => isEndless)) continue;
    const order = Array.from({ length: 100 }, () => filled[random(filled.length)]!);
    await compareLines(subject, order, deep);
  }
}

type Filled = { i: number; text: string; result: string; valid: boolean };

async function compareLines({ world, flags, differ }: Subject, order: readonly Filled[], deep: boolean): Promise<void> {
  const stdin = Buffer.from(order.map(({ text }) => `${text}\n`).join(''));
  const from = [...flags, '--quiet', '--input', 'lines', '-'];
  const { stdout } = await world.run(['fill', ...(deep ? ['--deep'] : []), ...from], stdin);
  const lines = stdout.split('\n');
  for (const [at, { i, result }] of order.entries())
    if (lines[at] !== result) return differ(`fill${deep ? ' --deep' : ''}: in lines`, i, lines[at] ?? '');
  if (deep) return;
  const filtered = await world.run(['filter', '--with-defaults', ...from], stdin);
  const expected = order.filter(({ valid }) => valid).map(({ text }) => `${text}\n`);
  if (filtered.stdout !== expected.join('')) differ('filter --with-defaults', order[0]!.i, filtered.stdout);
}
