/** Several missing members as one block: what it says comes from the facts of the violations, and from no sentence. */
import { describe, expect, it } from 'vitest';
import { openPaylint } from '../../src/index.ts';
import { createPalette } from '../../src/report/paint.ts';
import { drawViolations } from '../../src/report/violation.ts';
import type { Violation } from '../../src/types.ts';

const schema = { properties: { country: {} }, dependentSchemas: { country: { required: ['zip', 'colour'] } } };

async function found(redact = false): Promise<Violation[]> {
  const paylint = await openPaylint({ schema, redact });
  return [...paylint.validate('{"country": "US", "colou": 1}').violations];
}

describe('violations of members that are missing', () => {
  it('have the near miss and the condition as facts', async () => {
    const [zip, colour] = await found();
    expect(zip).toMatchObject({ params: { missing: 'zip' }, reason: 'if there is the member "country"' });
    expect(zip).not.toHaveProperty('misspelt');
    expect(colour).toMatchObject({
      suggestion: 'colour',
      misspelt: 'colou',
      reason: 'if there is the member "country"',
    });
  });

  it('name no member of the payload with redact', async () => {
    const [, colour] = await found(true);
    expect(colour).toMatchObject({ suggestion: 'colour' });
    expect(colour).not.toHaveProperty('misspelt');
  });

  it('say together what the facts say, whatever the messages are', async () => {
    const [zip, colour] = (await found()).map((one) => ({
      violation: { ...one, message: '' },
      index: 0,
      excerpt: null,
    }));
    const style = { colorLevel: 0, width: 120, quiet: false, stats: false, maxViolations: 0 } as const;
    expect(drawViolations([zip!, colour!], style, await createPalette(0)).split('\n')).toEqual([
      '  required  the members "zip" and "colour" are missing; the schema asks for this if there is the member "country"',
      '     ╭─ <text>:1:1  (root)',
      '     ╰─ there is "colou"; did you mean "colour"?',
    ]);
  });
});
