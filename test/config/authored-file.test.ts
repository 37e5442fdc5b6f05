/** Files that people write: the place of a fault in the whole file, the near miss, and texts that are harmless in a terminal. */
import { describe, expect, it } from 'vitest';
import { faultsIn, jsonIn, refuseFaults } from '../../src/config/authored-file.ts';

describe('the JSON of a file', () => {
  it('is its value, also after a byte order mark', () => {
    expect(jsonIn(Buffer.from('\ufeff{"a": 1}'), 'a.json')).toEqual({ a: 1 });
  });

  it('is refused at the place of its first fault', () => {
    expect(() => jsonIn(Buffer.from('{"a":\n  tru}'), 'a.json')).toThrow(/^a\.json:2:6: expected "true", found "}"$/);
  });
});

describe('faults by the schema of the form', () => {
  it('have line, column and pointer in the file, and the near miss', async () => {
    const bytes = Buffer.from('\ufeff{"maxDept": 5,\n "kinds": [{"fils": "a", "kind": "b"}],\n "bial": true}');
    const faults = await faultsIn(bytes, 'config');
    expect(faults).toEqual([
      expect.stringMatching(/^1:2: \/maxDept: .*; did you mean "maxDepth"\?$/),
      expect.stringMatching(/^2:12: \/kinds\/0: the member "files" is missing/),
      expect.stringMatching(/^2:13: \/kinds\/0\/fils: .*; did you mean "files"\?$/),
      expect.stringMatching(/^3:2: \/bial: .*; did you mean "bail"\?$/),
    ]);
  });

  it('are those of duplicate names, too', async () => {
    expect(await faultsIn(Buffer.from('{"bail": true, "bail": false}'), 'config')).toEqual([
      expect.stringMatching(/^1:16: \/bail: duplicate name/),
    ]);
  });

  it('of a part of the file have its place in the file', async () => {
    const bytes = Buffer.from('{"x": 1,\n"checks": [{"id": "a"}]}');
    const span = { start: bytes.indexOf('['), end: bytes.lastIndexOf(']') + 1 };
    const faults = await faultsIn(bytes, 'checks', { span, pointer: '/checks' });
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault).toMatch(/^2:12: \/checks\/0/);
  });

  it('are none in a file that fits', async () => {
    expect(await faultsIn(Buffer.from('{"$comment": "x", "x-mine": 1, "bail": true}'), 'config')).toEqual([]);
  });
});

describe('faults that are refused', () => {
  it('are listed below what they are about', () => {
    expect(() => refuseFaults(['1:2: /a: no', '3:4: /b: no'], 'the config is', 'a\n.json')).toThrow(
      /^the config is not valid\n {2}a\\u000a\.json:1:2: \/a: no\n {2}a\\u000a\.json:3:4: \/b: no$/,
    );
  });

  it('are none if there are none', () => {
    expect(() => refuseFaults([], 'the config is', 'a.json')).not.toThrow();
  });
});
