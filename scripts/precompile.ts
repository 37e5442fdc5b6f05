/**
 * Compiles the bundled entry schema and the patterns of formats, and derives the lists of rules in the schemas. The build puts
 * the results into the library, beside the command's bundle, and into `schemas/`.
 */
import { type AcceptModule, compileAccept } from '../src/engine/compile/module.ts';
import { compiled } from '../src/engine/compile/pattern-tables.ts';
import { wellFormedModule } from '../src/engine/compile/well-formed.ts';
import { OPTION_NAMES } from '../src/library/inserted.ts';
import { toText } from '../src/regex/automaton.ts';
import { loadSchemas } from '../src/schema/load.ts';
import { encode } from '../src/wasm/encode.ts';
import { AROUND, LAYOUTS } from '../src/wasm/layout.ts';
import { formatPatterns, moduleSections, resolvedData } from './stored.ts';
import { verdictsAsModule } from './verdicts-module.ts';

export { manPage } from './man-page.ts';
export { openReportSchema, RULE_LISTS } from './rule-lists.ts';

export interface Precompiled {
  /** The content of `dist/payload.wasm`, for `readAccept`. */
  readonly accept: Uint8Array;
  /** The content of `dist/payload.notes.wasm`, for `readNoting`. */
  readonly notes: Uint8Array;
  /** The content of `dist/payload.schemas.json`, for `readResolved`. */
  readonly schemas: string;
  /** The content of `dist/json-….wasm`, by layout. */
  readonly json: readonly (readonly [layout: string, accept: Uint8Array])[];
  /** The replacement for `src/engine/compile/format-tables.ts`. */
  readonly formats: string;
  /** The library's replacement for `src/library/verdicts.ts`. */
  readonly verdicts: string;
  /** The part of the replacement for `src/library/inserted.ts` that has the names of options. */
  readonly optionNames: string;
}

/** `entry`: absolute path of the bundled entry schema. Throws SchemaError. */
export async function precompile(entry: string): Promise<Precompiled> {
  const set = loadSchemas(entry);
  return {
    accept: moduleFile(compileAccept(set, { givenKind: null, defaults: null })),
    notes: moduleFile(compileAccept(set, { givenKind: null, defaults: null, notes: true })),
    schemas: JSON.stringify(resolvedData(set)),
    json: LAYOUTS.map((layout) => [layout, moduleFile(wellFormedModule(AROUND[layout]))]),
    formats: formatTables(),
    verdicts: verdictsAsModule(set),
    optionNames: `export const OPTION_NAMES = ${JSON.stringify(OPTION_NAMES)};`,
  };
}

/** A file for `readAccept` or `readNoting`. */
function moduleFile({ module, unsure, reasons, ...code }: AcceptModule): Uint8Array {
  const [reason] = [...reasons, ...unsure];
  if (reason !== undefined) throw new Error(`accept does not support ${reason.join(': ')}`);
  return encode({ ...module, notes: moduleSections(code) });
}

function formatTables(): string {
  const tables = formatPatterns().map((pattern) => {
    const { automaton, reason } = compiled(pattern);
    if (automaton === null) throw new Error(`${pattern}: ${reason}`);
    return [pattern, toText(automaton)];
  });
  return `export const FORMAT_TABLES = new Map(${JSON.stringify(tables)});`;
}
