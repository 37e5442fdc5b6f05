/**
 * The only file that configures Ajv. Kinds become functions that test a value for the kind and find every error in it.
 */

import type { Ajv, Format, Options, ValidateFunction } from 'ajv';
import type { RegExpEngine } from 'ajv/dist/types/index.js';
import type { callRef } from 'ajv/dist/vocabularies/core/ref.js';
import { SchemaError } from '../errors.ts';
import type { LoadedFormat } from '../formats/load.ts';
import { compileComplaint, metaComplaint } from './complaint.ts';
import { refuseEndless } from './endless.ts';
import type { Evaluation, EvaluationOptions } from './evaluated.ts';
import { fillWhole, keepFromBranches } from './filling.ts';
import {
  type Dialect,
  isSchemaObject,
  type LegacyDocument,
  type LegacySet,
  type SchemaObject,
  usesLegacyKeyword as usesKeyword,
} from './legacy.ts';
import { type Kind, legacyOf, type SchemaSet } from './load.ts';

export type { ValidateFunction };

export interface CompiledKind {
  readonly kind: Kind;
  /** The set that the kind belongs to: its files and references. */
  readonly set: SchemaSet;
  /** The entry schema's test for the kind; null if every value fits. */
  readonly test: ValidateFunction | null;
  readonly validate: ValidateFunction;
}

/**
 * Every error, with the subschema it comes from, whose place in the files is known. Unknown keywords are annotations,
 * and formats are asserted. Members are looked up as own properties only, so that `"required": ["constructor"]` works.
 */
const OPTIONS: Options = {
  allErrors: true,
  verbose: true,
  messages: false,
  strict: false,
  ownProperties: true,
  validateSchema: false,
  unicodeRegExp: true,
  logger: false,
};

/**
 * For yes or no on values that may come from anywhere: no list of errors, and NaN and Infinity, which JSON cannot hold,
 * are not numbers. (A text with 1e400 is `number-out-of-range` before Ajv sees it.)
 */
const VERDICT_OPTIONS: Options = { ...OPTIONS, allErrors: false, verbose: false, strictNumbers: true };

/** For filling: every default is filled in, whatever other errors there are. */
const FILL_OPTIONS: Options = { ...OPTIONS, verbose: false, useDefaults: true };

/** The Ajv class for the dialect of the schemas, the formats, and the corrected keywords. */
interface AjvModules {
  readonly Ajv: new (options: Options) => Ajv;
  readonly addFormats: (ajv: Ajv) => Ajv;
  readonly correctKeywords: (ajv: Ajv, evaluation: Evaluation | null) => void;
  /** Absent if no keyword asks what is evaluated. */
  readonly Evaluation?: new (
    options: EvaluationOptions,
  ) => Evaluation;
  /** What judges the formats of the schemas, by name. */
  readonly formats: ReadonlyMap<string, LoadedFormat>;
  /** The engine for patterns; absent if there are no patterns. */
  readonly regExp?: RegExpEngine;
}

/**
 * Functions for all kinds. Throws SchemaError with the file and the pointer for an invalid schema. For a schema that
 * does not compile, it is thrown when its function is first used.
 */
export async function compileKinds(set: SchemaSet): Promise<CompiledKind[]> {
  return kindsWith(await importAjv(legacyOf(set)), set);
}

/** The same with modules that were loaded before. */
export function kindsWith(modules: AjvModules, set: SchemaSet): CompiledKind[] {
  refuseEndless(legacyOf(set));
  return compileAll(modules, OPTIONS, set);
}

/** Ajv for examining, with the schemas of `set`. Throws SchemaError. */
export async function createExamineAjv(set: LegacySet, more: Options = {}): Promise<Ajv> {
  return createAjv(await importAjv(set), { ...OPTIONS, ...more }, set);
}

/** Ajv for verdicts only: its functions stop at the first error. Throws SchemaError. */
export async function createVerdictAjv(set: LegacySet, more: Options = {}): Promise<Ajv> {
  return createAjv(await importAjv(set), { ...VERDICT_OPTIONS, ...more }, set);
}

/** Compiles all kinds at once, to check that they compile. Throws SchemaError. */
export async function mustCompile(set: SchemaSet): Promise<void> {
  // Getting the function compiles it.
  for (const kind of await compileKinds(set)) void [kind.test, kind.validate];
}

/** Whether a subschema accepts a value, and the value with the defaults in it filled in. */
export type SubschemaCheck = (schema: SchemaObject, value: unknown) => { valid: boolean; value: unknown };

/** All that is needed to compile schemas of one dialect for filling. */
export type FillModules = AjvModules & { readonly callRef: typeof callRef };

/** Loads them. They serve `set`, and copies of it with other defaults. */
export async function loadFillModules(set: LegacySet): Promise<FillModules> {
  const [modules, { callRef }] = await Promise.all([
    importAjv(set),
    import('ajv/dist/vocabularies/core/ref.js'),
  ]);
  return { ...modules, callRef };
}

/** Checks for any subschema of `set`. They throw SchemaError, and errors for which `isEndless` is true. */
export function subschemaChecks(set: LegacySet, modules: FillModules): SubschemaCheck {
  const ajv = createFiller(set, modules);
  return (schema, value) => {
    const place = set.locations.get(schema) ?? '';
    if (!place.isWellFormed()) return { valid: false, value }; // half a surrogate pair cannot be in a URI
    const document = set.documents.find(({ name }) => place.startsWith(`${name}#`)) ?? set.entry;
    const pointer = place.slice(document.name.length + 1);
    const validate = compile(
      ajv,
      `${document.uri}#${pointer.split('/').map(encodeURIComponent).join('/')}`,
      document,
      set,
    );
    return { valid: fillWhole(validate, value), value };
  };
}

/** Fills in `value`, in place. `takeBack`: see `fillWhole`. */
export type Filler = (value: unknown, takeBack?: () => void) => void;

/**
 * Functions that fill in the defaults of a kind's schema, in place, by kind name. Throws SchemaError; the functions
 * throw errors for which `isEndless` is true.
 */
export function compileFillers(set: LegacySet, modules: FillModules): Map<string, Filler> {
  const ajv = createFiller(set, modules);
  return new Map(
    set.kinds.map(({ name, uri, document }) => {
      const validate = compile(ajv, uri, document, set);
      return [name, (value, takeBack) => void fillWhole(validate, value, takeBack)];
    }),
  );
}

function createFiller(set: LegacySet, modules: FillModules): Ajv {
  const ajv = createAjv(modules, FILL_OPTIONS, set);
  keepFromBranches(ajv, createAjv(modules, OPTIONS, set), modules.callRef);
  return ajv;
}

async function importAjv(set: LegacySet): Promise<AjvModules> {
  const [Ajv, { default: addFormats }, { correctKeywords }] = await Promise.all([
    importClass(set.dialect),
    import('ajv-formats'),
    import('./keywords.ts'),
  ]);
  const modules = {
    Ajv,
    addFormats: addFormats.default,
    correctKeywords,
    formats: await formatsIn(set),
    ...(usesUnevaluated(set) ? await import('./evaluated.ts') : {}),
  };
  if (!usesKeyword('pattern', set) && !usesKeyword('patternProperties', set)) return modules;
  const { linearRegExp } = await import('./linear-regexp.ts');
  return { ...modules, regExp: linearRegExp };
}

async function formatsIn(set: LegacySet): Promise<ReadonlyMap<string, LoadedFormat>> {
  if (set.assertsFormats === false || !usesKeyword('format', set)) return new Map();
  const names = [...set.locations.keys()].map((schema) => (isSchemaObject(schema) ? schema.format : null));
  const { loadFormats } = await import('../formats/load.ts');
  return loadFormats(names.filter((name) => typeof name === 'string'));
}

function usesUnevaluated(set: LegacySet): boolean {
  return usesKeyword('unevaluatedProperties', set) || usesKeyword('unevaluatedItems', set);
}

async function importClass(dialect: Dialect): Promise<AjvModules['Ajv']> {
  switch (dialect) {
    case 'draft-07':
      return (await import('ajv')).Ajv;
    case '2019-09':
      return (await import('ajv/dist/2019.js')).Ajv2019;
    case '2020-12':
      return (await import('ajv/dist/2020.js')).Ajv2020;
  }
}

function createAjv(modules: AjvModules, options: Options, set: LegacySet): Ajv {
  const { Ajv, addFormats, formats, correctKeywords, regExp } = modules;
  const ajv = new Ajv({
    ...options,
    ...(regExp === undefined ? {} : { code: { ...options.code, regExp } }),
    validateFormats: set.assertsFormats !== false,
    // Draft-07 ignores keywords beside "$ref".
    ignoreKeywordsWithRef: set.dialect === 'draft-07',
    // The context: numbers as written, for `multipleOf`, and the list for the errors.
    passContext: true,
  });
  correctKeywords(ajv, evaluationFor(ajv, modules, set));
  addFormats(ajv);
  for (const [name, { type, test, compare }] of formats)
    ajv.addFormat(name, { type, validate: test, compare } as Format); // the type is that of what `test` takes
  const meta = metaFor(modules);
  for (const document of set.documents) addDocument(ajv, document, meta);
  return ajv;
}

/** What `ajv` asks about evaluated members and items; null if it does not. */
function evaluationFor(ajv: Ajv, modules: AjvModules, set: LegacySet): Evaluation | null {
  const { Evaluation } = modules;
  if (Evaluation === undefined) return null;
  const { useDefaults, allErrors } = ajv.opts;
  return new Evaluation({
    is2020: set.dialect === '2020-12',
    changes: useDefaults !== undefined && useDefaults !== false,
    makeAjv: () =>
      allErrors ? createAjv(modules, { ...OPTIONS, allErrors: false, verbose: false }, set) : ajv,
  });
}

/** Each function is compiled at its first use: most runs meet one kind. */
function compileAll(modules: AjvModules, options: Options, set: SchemaSet): CompiledKind[] {
  const legacy = legacyOf(set);
  const ajv = createAjv(modules, { ...options, code: { process: withErrorsOfContext } }, legacy);
  return set.kinds.map((kind, i) => {
    const own = legacy.kinds[i]!; // in the same order
    let test: ValidateFunction | null = null;
    let validate: ValidateFunction | null = null;
    return {
      kind,
      set,
      get test() {
        if (own.test !== null) test ??= compile(ajv, own.test.uri, legacy.entry, legacy);
        return test;
      },
      get validate() {
        validate ??= compile(ajv, own.uri, own.document, legacy);
        return validate;
      },
    };
  });
}

/** The start of a list of errors in Ajv's code. */
const FIRST_ERROR = /\bvErrors = \[(err\d+)\]/g;

/**
 * Ajv's code with replaceable lists of errors: if `this` has a function `errors`, its result for the first error is
 * used instead of an array. The result must have what the code uses: `push`, `concat`, and a `length` that can be set.
 */
export function withErrorsOfContext(code: string): string {
  return code.replace(FIRST_ERROR, 'vErrors = this?.errors?.($1) ?? [$1]');
}

/**
 * By dialect, the Ajv that checks documents against the meta-schema. To compile that is most of the cost of a small
 * schema.
 */
const METAS = new Map<AjvModules['Ajv'], Ajv>();

function metaFor({ Ajv, correctKeywords }: AjvModules): Ajv {
  let meta = METAS.get(Ajv);
  if (meta === undefined) {
    meta = new Ajv(OPTIONS);
    correctKeywords(meta, null);
    METAS.set(Ajv, meta);
  }
  return meta;
}

/** Throws SchemaError for a document that does not match `meta`. */
function addDocument(ajv: Ajv, document: LegacyDocument, meta: Ajv): void {
  const { name, schema, uri, aliases } = document;
  try {
    if (meta.validateSchema(schema) !== true) {
      throw new SchemaError(`${name}#${metaComplaint(meta.errors ?? [])}`);
    }
    for (const key of [uri, ...aliases]) ajv.addSchema(schema, key);
  } catch (cause) {
    if (cause instanceof SchemaError) throw cause;
    throw new SchemaError(`${name}: ${(cause as Error).message}`, { cause }); // Ajv throws Errors
  }
}

function compile(ajv: Ajv, uri: string, document: LegacyDocument, set: LegacySet): ValidateFunction {
  try {
    const validate = ajv.getSchema(uri);
    if (validate !== undefined) return validate;
    throw new Error(`there is no schema at ${uri}`);
  } catch (cause) {
    const error = cause as Error; // Ajv throws Errors
    const place =
      compileComplaint(error, set) ?? `${document.name}: the schema does not compile: ${error.message}`;
    throw new SchemaError(place, { cause });
  }
}
