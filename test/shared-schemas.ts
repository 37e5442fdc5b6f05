/**
 * Set up before every test file: what the bundled schemas become is made once in a process, and not for every run of `main` in it.
 * It is the same for all of them, and to make it is four fifths of a small run. Other schemas are loaded and compiled as ever.
 */

import { dirname } from 'node:path';
import { vi } from 'vitest';
import type { AcceptCode } from '../src/engine/compile/code.ts';
import type * as compile from '../src/engine/compilers.ts';
import type * as defaults from '../src/repair/defaults.ts';
import type * as load from '../src/schema/load.ts';
import type { SchemaSet } from '../src/schema/set.ts';

vi.mock('../src/schema/load.ts', async (original) => {
  const { bundledSchema } = await import('../src/package.ts');
  const actual = await original<typeof load>();
  const folder = dirname(bundledSchema('any'));
  const sets = new Map<string, load.LoadedSchemas>();
  const loadSchemas: typeof load.loadSchemas = (path, options = {}, more = []) => {
    const { refs = [], draft, files } = options;
    const isPlain = refs.length + more.length === 0 && draft === undefined && files === undefined;
    if (!isPlain || dirname(path) !== folder) return actual.loadSchemas(path, options, more);
    const set = sets.get(path) ?? actual.loadSchemas(path);
    sets.set(path, set);
    return set;
  };
  return { ...actual, loadSchemas };
});

vi.mock('../src/repair/defaults.ts', async (original) => {
  const actual = await original<typeof defaults>();
  const made = new WeakMap<SchemaSet, Map<string, ReturnType<typeof defaults.readDefaults>>>();
  const readDefaults: typeof defaults.readDefaults = (set, ...options) =>
    once(ofSet(made, set), options.join(), () => actual.readDefaults(set, ...options));
  return { ...actual, readDefaults };
});

vi.mock('../src/engine/compilers.ts', async (original) => {
  const actual = await original<typeof compile>();
  const made = new WeakMap<object, Map<string | null, AcceptCode>>();
  const compileAcceptCode: typeof compile.compileAcceptCode = (schemas, givenKind, filled) =>
    once(ofSet(made, filled ?? schemas), givenKind, () => actual.compileAcceptCode(schemas, givenKind, filled));
  const notes = new WeakMap<SchemaSet, Map<string | null, ReturnType<typeof compile.compileNotingCode>>>();
  const compileNotingCode: typeof compile.compileNotingCode = (set, givenKind) =>
    once(ofSet(notes, set), givenKind, () => actual.compileNotingCode(set, givenKind));
  return { ...actual, compileAcceptCode, compileNotingCode };
});

/** What was made for `key`, or is made now. */
function once<K, V>(made: Map<K, V>, key: K, make: () => V): V {
  if (!made.has(key)) made.set(key, make());
  return made.get(key)!;
}

function ofSet<S extends object, K, V>(made: WeakMap<S, Map<K, V>>, set: S): Map<K, V> {
  const own = made.get(set) ?? new Map<K, V>();
  made.set(set, own);
  return own;
}
