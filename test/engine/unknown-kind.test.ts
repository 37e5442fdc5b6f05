/**
 * Wrapped payloads: the jq program of the violation unwraps them, and no name in it can act on a shell.
 */
import fc from 'fast-check';
import { raw } from 'jq-wasm';
import { describe, expect, it } from 'vitest';
import { rounds } from '../rounds.ts';
import { paylint } from '../world.ts';

const PAYLOAD = { '@context': 'c', '@type': 't', emoji: 'x' };

/** `PAYLOAD` in members with these names; null is an array. */
function wrap(steps: readonly (string | null)[]): unknown {
  return [...steps].reverse().reduce<unknown>((inner, name) => (name === null ? [inner] : { [name]: inner }), PAYLOAD);
}

async function paramsOf(value: unknown, framing: string): Promise<{ mistake?: string; jq?: string }> {
  const args = ['validate', '--no-config', '--quiet', '--format', 'ndjson', '--input', framing];
  const { stdout } = await paylint(args, { cwd: import.meta.dirname, stdin: JSON.stringify(value) });
  const [violation] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line)); // our own report
  expect(violation?.rule).toBe('unknown-kind');
  return violation.params;
}

const STEP = fc.oneof(fc.constant(null), fc.constantFrom('data', 'items', '@graph', 'my-data', 'a.b', 'x_1', '0'));

describe('the program of a wrapped payload', () => {
  it('unwraps it', async () => {
    const steps = fc.array(STEP, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom('lines', 'json'), async (path, framing) => {
        // A top-level array is the list of payloads in the framing json.
        if (framing === 'json' && path.length === 1 && path[0] === null) return;
        const value = wrap(path);
        const { mistake, jq } = await paramsOf(value, framing);
        expect(mistake).toBe('wrapped');
        const { stdout } = await raw(JSON.stringify(value), jq!, ['-c']);
        expect(JSON.parse(stdout)).toEqual(PAYLOAD);
      }),
      { numRuns: rounds(160) },
    );
  });

  it('is missing if a name could mean something to a shell', async () => {
    const name = fc.string({ unit: fc.constantFrom(...'ab\'"`$\\ ;|\n\u202e[]()'), minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(name, async (text) => {
        const { mistake, jq } = await paramsOf(wrap([text]), 'lines');
        expect(mistake).toBe('wrapped');
        expect(jq === undefined || /^\.[ab]+$/.test(jq)).toBe(true);
        expect(jq === undefined).toBe(!/^[ab]+$/.test(text));
      }),
      { numRuns: rounds(160) },
    );
  });
});
