/** Where the code of the engines comes from: from files that the build made, or compiled when a run first needs it. */
import { resolve } from 'node:path';
import { memoized, memoizedWeakly, type Soon } from '../json/on-demand.ts';
import { jsonFile, type PrecompiledFiles } from '../package.ts';
import type { WantedDefaults } from '../repair/wanted-defaults.ts';
import { madeSchema } from '../schema/node.ts';
import type { SchemaSet } from '../schema/set.ts';
import { ANY_JSON, type Layout } from '../wasm/layout.ts';
import { Acceptor } from './compile/acceptor.ts';
import { type AcceptCode, readAccept, readNoting } from './compile/code.ts';
import { NOTED, type NotingSource, notingSource } from './thresholds.ts';
import { type RunWithinLimit, unlimited, withinTime } from './time-limit.ts';

/** The schemas of a run, as a verb names them: plain data, and how they are loaded. */
export interface SchemaChoice {
  readonly load: LoadSchemas;
  /** Files made from the schemas when paylint was built; null if there are none. */
  readonly precompiled: PrecompiledFiles | null;
  /** The defaults that payloads are checked with, as if they were filled in. */
  readonly defaults: WantedDefaults;
  /** True if the first payloads can be judged without compiled functions. */
  readonly interpreted?: boolean;
  /**
   * What the compiled code finds in payloads: `kinds`: only the kind; a layout: nothing but JSON, which it writes so;
   * `nothing`: each payload is explained. Absent: whether they are valid.
   */
  readonly reads?: 'kinds' | 'nothing' | Layout;
}

/** The same with its code, which is compiled when a run first needs it. */
export interface Schemas extends SchemaChoice {
  readonly accept: AcceptSource;
  /** Absent: that of `lazyNoting`. */
  readonly noting?: NotingSource;
}

/** `choice`: with its code already, or without. */
export function schemasOf(choice: SchemaChoice | Schemas): Schemas {
  if ('accept' in choice) return choice;
  const { load, precompiled, defaults, reads } = choice;
  if (reads === 'nothing') return { ...choice, accept: lazyUnsure(load), noting: () => null };
  if (reads === 'kinds') return { ...choice, accept: kindsOnly(load) };
  if (reads !== undefined) return { ...choice, load: loadAnyJson, accept: () => jsonCode(reads) };
  const accept = defaults.texts === null ? (precompiled?.accept ?? null) : null;
  return { ...choice, accept: lazyAccept(load, defaults, accept, withinTime) };
}

export type AcceptSource = (givenKind: string | null) => Soon<AcceptCode>;

/** Reads the schemas at the first call: a run with precompiled functions may not need them. */
export type LoadSchemas = () => Promise<SchemaSet>;

/**
 * Compiles accept functions at their first use, and keeps them. `precompiled`: a file with the module for payloads of
 * any kind, without defaults; null: there is none. `within`: if compiling takes longer, every payload is unsure.
 */
export function lazyAccept(
  load: LoadSchemas,
  { texts }: WantedDefaults,
  precompiled: string | null,
  within: RunWithinLimit = unlimited,
): AcceptSource {
  return memoized(async (givenKind) => {
    const made = givenKind === null && precompiled !== null ? readAccept(precompiled) : null;
    if (made !== null) return made;
    const { compileAcceptCode } = await import('./compilers.ts');
    const code = compileAcceptCode(await load(), givenKind, texts, within);
    await afterWork(within);
    return code;
  });
}

/** What may have taken its time is followed by a turn of the event loop, in which signals are handled. */
async function afterWork(within: RunWithinLimit): Promise<void> {
  if (within !== unlimited) await new Promise((turn) => setImmediate(turn));
}

/** Code that notes violations. What cannot be compiled in time notes nothing. */
export function lazyNoting(
  { load, precompiled, defaults }: Pick<Schemas, 'load' | 'precompiled' | 'defaults'>,
  within: RunWithinLimit,
): NotingSource {
  return notingSource({
    ...{ load, precompiled, after: defaults.prunes === 'payloads' ? NOTED.prune : NOTED.run },
    async make(set, kind, file) {
      const [{ notingWith }, { allowsDefaultIn }] = await Promise.all([
        import('./judge/noted.ts'),
        import('./examiner.ts'),
      ]);
      const made = file === null ? null : readNoting(file, set);
      const code = made ?? (await import('./compilers.ts')).compileNotingCode(set, kind, within);
      if (made === null) await afterWork(within);
      return code && notingWith(code, set, await allowsDefaultIn(set));
    },
  });
}

/** Functions for which every payload is unsure. */
function lazyUnsure(load: LoadSchemas): AcceptSource {
  return memoized(async () => (await import('./compilers.ts')).unsureCode(await load()));
}

/** A schema that accepts everything, as if it were a file with the name of the only kind. */
async function loadAnyJson(): Promise<SchemaSet> {
  const { loadSchemas } = await import('../schema/load.ts');
  const path = resolve(`/${ANY_JSON}`);
  return loadSchemas(path, { files: new Map([[path, Buffer.from('true')]]) });
}

/** For payloads with a detected kind. Payloads that pass no test have no kind. */
function kindsOnly(load: LoadSchemas): AcceptSource {
  return memoized(async (givenKind: string | null) => {
    const { compileAcceptCode } = await import('./compilers.ts');
    const set = await load();
    // A test that passes only objects is compiled into the code for the object.
    const schema = givenKind === null ? madeSchema({ type: 'object' }) : true;
    const kinds = set.kinds.map((kind) => ({ ...kind, schema }));
    return compileAcceptCode({ ...set, kinds }, givenKind, null);
  });
}

/** The code for payloads of any kind, which writes each in the layout. */
export const jsonCode = memoized(
  async (layout: Layout): Promise<AcceptCode> =>
    readAccept(jsonFile(layout)) ?? (await import('./compilers.ts')).compileJson(layout),
);

const NO_LIMITS = { maxDepth: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

/** Writes payloads that were accepted without being written. Made at its first use: a thread has one window. */
export async function jsonWriter(
  layout: Layout,
): Promise<(window: { readonly memory: WebAssembly.Memory }) => Acceptor> {
  const code = await jsonCode(layout);
  return memoizedWeakly(({ memory }) => new Acceptor(code, memory, NO_LIMITS));
}
