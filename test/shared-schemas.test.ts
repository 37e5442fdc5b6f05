/**
 * What the bundled schemas become is shared by all runs in a test file, as `shared-schemas.ts` sets it up; or the tests would only be slow.
 */
import { expect, it } from 'vitest';
import { compileAcceptCode } from '../src/engine/compilers.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../src/package.ts';
import { readDefaults } from '../src/repair/defaults.ts';
import { loadSchemas } from '../src/schema/load.ts';

const load = () => loadSchemas(bundledSchema(ENTRY_SCHEMA));

it('the bundled schemas, what accept makes of them, and their defaults are made once', async () => {
  expect(load()).toBe(load());
  const defaults = await readDefaults(load(), false, true);
  expect(await readDefaults(load(), false, true)).toBe(defaults);
  expect(compileAcceptCode(load(), null, null)).toBe(compileAcceptCode(load(), null, null));
  expect(compileAcceptCode(load(), null, defaults)).toBe(compileAcceptCode(load(), null, defaults));
});

it('separately for each purpose', async () => {
  const [plain, deep] = [await readDefaults(load(), false, true), await readDefaults(load(), true, true)];
  expect(deep).not.toBe(plain);
  const codes = [
    compileAcceptCode(load(), null, null),
    compileAcceptCode(load(), 'emoji', null),
    compileAcceptCode(load(), null, plain),
    compileAcceptCode(load(), null, deep),
  ];
  expect(new Set(codes).size).toBe(codes.length);
});
