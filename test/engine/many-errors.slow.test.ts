/**
 * A payload with more errors than are kept as objects: they are looked up batch by batch, and what is found must not depend on it. An array of many
 * elements has the findings that each of its elements has alone.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExaminer } from '../../src/engine/examiner.ts';
import type { Examiner } from '../../src/engine/judge/examine.ts';
import { NO_DEFAULTS } from '../../src/repair/wanted-defaults.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import type { Finding, Span } from '../../src/types.ts';

/** More errors than the first two batches have. */
const COUNT = 12_000;
const ELEMENT = {
  type: ['object', 'string'],
  properties: {
    a: {
      anyOf: [
        { type: 'string', minLength: 2 },
        { type: 'array', items: { type: 'null' } },
      ],
    },
    b: { $ref: '#/$defs/element' },
    c: { not: { type: 'string' } },
    d: { type: 'integer', minimum: 3, enum: [3, 4] },
    e: { uniqueItems: true },
    f: { multipleOf: 2 },
  },
  required: ['x', 'ä'],
  additionalProperties: false,
  propertyNames: { maxLength: 3 },
  if: { required: ['c'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword
  then: { required: ['d'] },
};
/** Some valid, most not. */
const ELEMENTS = [
  '{"x":1,"ä":1}',
  '1',
  '{"a":1,"b":{"b":{"b":2}},"c":"x"}',
  '{ "a" : [ null , 1 ] , "x" : 1, "ü\\u0041": 2 }',
  '{"d":1e999,"d":"5","e":[1,{"p":1},{"p":1.0}]}',
  '{"d":"5","d":1e999,"f":3}',
  '{"longName":1,"c":1,"a~/b":{"":[]}}',
  '"text"',
];

let examiner: Examiner;
const folder = mkdtempSync(join(tmpdir(), 'paylint-errors-'));

beforeAll(async () => {
  const schema = { items: { $ref: '#/$defs/element' }, $defs: { element: ELEMENT } };
  writeFileSync(join(folder, 's.json'), JSON.stringify(schema));
  const limits = { maxDepth: 1000, maxBytes: 64 << 20, redact: false };
  const set = loadSchemas(join(folder, 's.json'));
  examiner = await createExaminer({ set, defaults: NO_DEFAULTS }, limits);
});
afterAll(() => rmSync(folder, { recursive: true }));

function examine(text: string): { findings: Finding[]; hidden: string[] } {
  const bytes = Buffer.from(text);
  const payload = { bytes, span: { start: 0, end: bytes.length }, base: 0, ending: 'text' as const };
  const { findings } = examiner.examine(payload, null);
  const { hidden } = examiner.examine(payload, null, true);
  return {
    findings: [...findings],
    hidden: hidden.flatMap(([{ rule }, count]) => Array.from({ length: count }, () => rule)).sort(),
  };
}

function moved(finding: Finding, by: number, index: number): Finding {
  const shift = ({ start, end }: Span): Span => ({ start: start + by, end: end + by });
  const pointer = `/${index}${finding.pointer.slice('/0'.length)}`;
  const { children } = finding;
  const inside = children === undefined ? {} : { children: children.map((one) => moved(one, by, index)) };
  const all = { ...finding, pointer, span: shift(finding.span), ...inside };
  return all.rule === 'duplicate-member' ? { ...all, params: { first: shift(all.params.first) } } : all;
}

function withoutGuess({ suggestion: _, misspelt: __, ...finding }: Finding) {
  return finding;
}

describe('an array with very many errors', () => {
  it('has the findings of its elements', () => {
    const alone = ELEMENTS.map((element) => examine(`[${element}]`));
    const all = Array.from({ length: COUNT }, (_, i) => ELEMENTS[(i * 5) % ELEMENTS.length]!);
    const { findings, hidden } = examine(`[${all.join(',\n')}]`);
    let next = 0;
    let by = 0;
    for (const [i, element] of all.entries()) {
      for (const one of alone[(i * 5) % ELEMENTS.length]!.findings) {
        const found = withoutGuess(findings[next++]!);
        // Only the first ones say what may have been meant.
        const wanted = withoutGuess(moved(one, by, i));
        if (found.message !== wanted.message) expect(wanted.message).toContain(`${found.message}; there is `);
        const same = JSON.stringify({ ...found, message: '' }) === JSON.stringify({ ...wanted, message: '' });
        if (!same) expect(found).toEqual(wanted);
      }
      by += Buffer.byteLength(element) + 2;
    }
    expect(next).toBe(findings.length);
    expect(findings.length).toBeGreaterThan(40_000);
    expect(hidden).toEqual(findings.flatMap(({ rule }) => (/^(duplicate|number-out)/.test(rule) ? [] : [rule])).sort());
  });

  it('whose elements are in an object has them in the order of the text', () => {
    const members = Array.from({ length: 40_000 }, (_, i) => `"${(i * 7919) % 40_000}":${i}`);
    const { findings } = examine(`[{"x":1,"ä":1,${members.join()}}]`);
    const unknown = findings.filter(({ rule }) => rule === 'additionalProperties').slice(2);
    expect(unknown.map(({ pointer }) => pointer)).toEqual(members.map((member) => `/0/${member.split('"')[1]}`));
  });

  it('has the last of the members with the same name', () => {
    const members = Array.from({ length: 20_000 }, (_, i) => `"k${i % 3 === 0 ? i % 999 : i}":${i}`);
    const { findings } = examine(`[{"x":1,"ä":1,${members.join()}}]`);
    const last = new Map(members.map((member, i) => [member.split('"')[1], i]));
    const kept = members.filter((member, i) => last.get(member.split('"')[1]) === i);
    const text = Buffer.from(`[{"x":1,"ä":1,${members.join()}},]`);
    const unknown = findings.filter(({ rule }) => rule === 'additionalProperties').slice(2);
    const textAt = ({ start, end }: Span): string => text.toString('utf8', start, text.indexOf(0x2c, end));
    expect(unknown.map(({ span }) => textAt(span).replace('}', ''))).toEqual(kept);
  });
});
