/** The names of options come from the table of flags; here they are compared with the types that callers see. */
import { expect, it } from 'vitest';
import type { FileOptions, FillOptions, PaylintOptions, PayloadOptions } from '../../src/library/api.ts';
import { OPTION_NAMES } from '../../src/library/inserted.ts';

/** The compiler refuses this list if one is missing, or is none of the type. */
const TYPED = {
  openPaylint: {
    ...{ schema: true, schemas: true, kind: true, assertFormats: true, formats: true, keywords: true },
    ...{ maxPayloadBytes: true, maxDepth: true, redact: true, strictSchema: true, draft: true, refs: true },
    ...{ vocabularies: true, rules: true, advice: true, baseline: true, config: true },
  } satisfies Record<keyof PaylintOptions, true>,
  fill: { deep: true } satisfies Record<keyof FillOptions, true>,
  payloads: { input: true, whole: true, kind: true, file: true, signal: true } satisfies Record<
    keyof PayloadOptions,
    true
  >,
  validateFiles: {
    ...{ threads: true, ignore: true, cwd: true, signal: true, onEvent: true, input: true, whole: true },
  } satisfies Record<keyof FileOptions, true>,
};

it.each(Object.entries(TYPED))('%s has the options of its type', (call, names) => {
  expect(OPTION_NAMES[call as keyof typeof TYPED].toSorted()).toEqual(Object.keys(names).sort());
});
