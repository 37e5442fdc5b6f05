/** Files that people write: the place of a fault in the whole file, the near miss, and texts that are harmless in a terminal. */
import { describe, expect, it } from 'vitest';
import { faultsIn, jsonIn, refuseFaults, textOf } from '../../src/config/authored-file.ts';

const FILE = { path: '/x/a.json', name: 'a.json' };

describe('the JSON of a file', () => {
  it('is its value, also after a byte order mark', () => {
    expect(jsonIn(Buffer.from('\ufeff{"a": 1}'), FILE)).toEqual({ a: 1 });
  });

  it('is refused at the place of its first fault', () => {
    const read = (): unknown => jsonIn(Buffer.from('{"a":\n  tru}'), FILE, 'the file ');
    expect(read).toThrow(/^the file a\.json:2:6: expected "true", found "}"$/);
    expect(read).toThrow(
      expect.objectContaining({ at: expect.objectContaining({ path: '/x/a.json', line: 2, column: 6 }) }),
    );
  });
});

describe('faults by the schema of the form', () => {
  it('have line, column and pointer in the file, and the near miss', async () => {
    const bytes = Buffer.from('\ufeff{"maxDept": 5,\n "kinds": [{"fils": "a", "kind": "b"}],\n "bial": true}');
    const faults = await faultsIn(bytes, 'config');
    expect(faults.map(textOf)).toEqual([
      expect.stringMatching(/^1:2: \/maxDept: .*; did you mean "maxDepth"\?$/),
      expect.stringMatching(/^2:12: \/kinds\/0: the member "files" is missing/),
      expect.stringMatching(/^2:13: \/kinds\/0\/fils: .*; did you mean "files"\?$/),
      expect.stringMatching(/^3:2: \/bial: .*; did you mean "bail"\?$/),
    ]);
  });

  it('are those of duplicate names, too', async () => {
    const faults = await faultsIn(Buffer.from('{"bail": true, "bail": false}'), 'config');
    expect(faults.map(textOf)).toEqual([expect.stringMatching(/^1:16: \/bail: duplicate name/)]);
  });

  it('of a part of the file have its place in the file', async () => {
    const bytes = Buffer.from('{"x": 1,\n"checks": [{"id": "a"}]}');
    const span = { start: bytes.indexOf('['), end: bytes.lastIndexOf(']') + 1 };
    const faults = await faultsIn(bytes, 'checks', { span, pointer: '/checks' });
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(textOf(fault)).toMatch(/^2:12: \/checks\/0/);
  });

  it('are none in a file that fits', async () => {
    expect(await faultsIn(Buffer.from('{"$comment": "x", "x-mine": 1, "bail": true}'), 'config')).toEqual([]);
  });
});

describe('faults that are refused', () => {
  it('are listed below what they are about', () => {
    const faults = [
      { line: 1, column: 2, sentence: '/a: no' },
      { line: 3, column: 4, sentence: '/b: no' },
    ];
    const refuse = (): void => refuseFaults(faults, 'the config is', { ...FILE, name: 'a\n.json' });
    expect(refuse).toThrow(
      expect.objectContaining({ at: expect.objectContaining({ path: '/x/a.json', line: 1, column: 2 }) }),
    );
    expect(refuse).toThrow(
      /^the config is not valid\n {2}a\\u000a\.json:1:2: \/a: no\n {2}a\\u000a\.json:3:4: \/b: no$/,
    );
  });

  it('are none if there are none', () => {
    expect(() => refuseFaults([], 'the config is', FILE)).not.toThrow();
  });
});
