/**
 * Formats that a caller of the library judges by functions of its own.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { openPaylint } from '../../src/library/open.ts';

const SCHEMA = {
  type: 'object',
  properties: { sku: { format: 'sku' }, iban: { format: 'iban' }, at: { format: 'date' }, in: { $ref: '#' } },
};
/** With flags that make a test depend on the one before it. */
const SKU = /^[A-Z]{3}-\d+$/giu;
const seen: string[] = [];
const formats = {
  sku: SKU,
  iban: (text: string): boolean => {
    seen.push(text);
    if (text === 'boom') throw new Error('the bank is closed');
    return text.startsWith('DE');
  },
};

const open = (more = {}) => openPaylint({ schema: SCHEMA, formats, ...more });

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylint-formats-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['{"sku":"abc-1","iban":"DE1"}', []],
  ['{"sku":"abc-1","iban":"DE1","at":"2026-01-01"}', []],
  ['{"sku":"ab-1"}', ['/sku']],
  ['{"sku":1,"iban":null}', []],
  ['{"in":{"in":{"iban":"FR\\u0031"}},"iban":"AT"}', ['/in/in/iban', '/iban']],
  ['{"at":"2026-13-01","iban":"AT"}', ['/at', '/iban']],
])('judge texts, values and bytes: %s', async (text, pointers) => {
  const paylint = await open();
  for (let i = 0; i < 3; i++) {
    const { violations } = paylint.validate(text);
    expect(violations.map(({ pointer }) => pointer)).toEqual(pointers);
    for (const violation of violations) expect(violation.rule).toBe('format');
    expect(paylint.isValid(text)).toBe(pointers.length === 0);
    expect(paylint.isValid(Buffer.from(text))).toBe(pointers.length === 0);
    expect(paylint.validateValue(JSON.parse(text)).valid).toBe(pointers.length === 0);
  }
  expect(paylint.warnings).toEqual([]);
});

const later = async (): Promise<boolean> => {
  throw new Error('too late');
};

it.each([[async () => false], [later], [() => undefined], [() => 'yes']])(
  'a function that is no test makes a failure: %s',
  async (test) => {
    const formats = { it: test as unknown as (text: string) => boolean }; // a mistake
    const paylint = await openPaylint({ schema: { format: 'it' }, formats });
    for (let i = 0; i < 300; i++) expect(paylint.isValid('"a"')).toBe(false);
    expect(paylint.validate('"a"').violations).toMatchObject([
      { rule: 'failure', message: 'the function of a format returned neither true nor false' },
    ]);
  },
);

/** A flag that literals may not have here. */
const SETS = 'v';

describe('a RegExp', () => {
  it.each([
    [/^a.c$/, 'abc', 'a\nc'],
    [/^a.c$/s, 'a\nc', 'ac'],
    [/^[^a]$/i, 'b', 'A'],
    [/^straße$/i, 'STRAßE', 'strasse'],
    [/^k$/i, 'K', '\u212a'],
    [/^k$/iu, '\u212a', 'l'],
    [/^\W$/i, '-', '_'],
    [/^(?:\u{1f600}|\p{Lu}{2})$/u, '😀', 'AbC'],
    [/^[\w-.]+-x$/, 'a.b-x', 'x'],
    [/a/y, 'ba', 'b'],
    [/\bcat\b/i, 'a CAT', 'concat'],
  ])('%s has %j and not %j', async (it, inside, outside) => {
    const paylint = await openPaylint({ schema: { format: 'it' }, formats: { it } });
    for (let i = 0; i < 300; i++)
      expect([inside, outside].map((text) => paylint.isValid(JSON.stringify(text)))).toEqual([true, false]);
  });

  it.each([/^(a|a)*$/, /^(a+)+$/i, /^(.*a){12}$/s])('%s takes time in proportion to the text', async (it) => {
    const paylint = await openPaylint({ schema: { format: 'it' }, formats: { it } });
    // With RegExp, this would not end.
    expect(paylint.isValid(JSON.stringify(`${'a'.repeat(50_000)}!`))).toBe(false);
  });

  it.each([
    [/^(a|b)\1$/, 'the pattern cannot be matched in linear time: it refers back to a group'],
    [/^(a|b)\1$/i, 'the pattern cannot be matched in linear time: it refers back to a group'],
    [/(?<=x)a/, 'the pattern cannot be matched in linear time: it looks behind'],
    [/^a$/m, 'the pattern cannot be matched in linear time: it has the flag m, and looks for lines'],
    [new RegExp('[\\p{L}--k]', SETS), 'the pattern cannot be matched in linear time: it has the flag v'],
    [/\bx/iu, 'the pattern cannot be matched in linear time: it looks for words with the flags i and u'],
  ])('%s is refused', async (it, message) => {
    const opened = openPaylint({ schema: { format: 'it' }, formats: { it } });
    await expect(opened).rejects.toThrow(`formats: it: ${message}`);
    await expect(opened).rejects.toThrow(/; or give a function$/);
  });
});

describe('files', () => {
  it('are judged on this thread, whatever the number of threads', async () => {
    const path = join(folder, 'many.ndjson');
    const line = (i: number): string => `{"iban":"${i % 1000 === 0 ? 'AT' : 'DE'}${i}","sku":"abc-${i}"}\n`;
    writeFileSync(path, Array.from({ length: 40_000 }, (_, i) => line(i)).join(''));
    seen.length = 0;
    const { valid, invalid, failures } = await (await open()).validateFiles([path], { threads: 4 });
    expect([valid, invalid, failures]).toEqual([39_960, 40, 0]);
    expect(new Set(seen).size).toBe(40_000);
  });

  it('have a failure for a payload whose format throws, and the others are checked', async () => {
    const path = join(folder, 'boom.ndjson');
    writeFileSync(path, '{"iban":"boom"}\n{"iban":"AT"}\n{"iban":"DE"}\n');
    const failures: string[] = [];
    const paylint = await open();
    const { valid, invalid, exitCode } = await paylint.validateFiles([path], {
      onEvent: (event) => {
        if (event.type === 'failure') failures.push(event.message);
      },
    });
    expect([valid, invalid, exitCode]).toEqual([1, 2, 2]);
    expect(failures).toEqual([expect.stringMatching(/: the function of a format threw an error: the bank is closed$/)]);
    expect(paylint.validate('{"iban":"boom"}')).toMatchObject({ valid: false, violations: [{ rule: 'failure' }] });
    expect(paylint.isValid('{"iban":"boom"}')).toBe(false);
  });

  it('have a failure for a payload that is so deep that it needs a thread', async () => {
    const path = join(folder, 'deep.json');
    const levels = 2000;
    // Each level takes much of the stack.
    const schema = Array.from({ length: 30 }).reduce<object>((inner) => ({ allOf: [inner] }), { $ref: '#' });
    writeFileSync(path, `${'{"in":'.repeat(levels)}{"iban":"AT"}${'}'.repeat(levels)}`);
    const properties = { ...SCHEMA.properties, in: schema };
    const paylint = await open({ schema: { properties }, maxDepth: 1_000_000 });
    expect(await paylint.validateFiles([path])).toMatchObject({ payloads: 1, valid: 0, failures: 1 });
    await paylint.close();
  });
});

it.each([
  [{ email: /x/ }, 'formats: "email" is a format of paylint, which cannot be redefined; false turns it off'],
  [{ emial: false }, 'formats: there is no format "emial" that could be turned off; did you mean "email"?'],
  [{ sku: 'x' }, 'formats: expected a RegExp, a function or false for sku'],
])('are refused: %j', async (given, message) => {
  await expect(openPaylint({ schema: SCHEMA, formats: given as never })).rejects.toThrow(new UsageError(message));
});

it('may turn off a format of paylint', async () => {
  const paylint = await openPaylint({ schema: { format: 'email' }, formats: { email: false } });
  expect(paylint.isValid('"x"')).toBe(true);
});
