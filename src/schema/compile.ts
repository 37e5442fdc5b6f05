/**
 * The only file that configures Ajv. Kinds become functions that say, for a value, whether a kind's test fits and
 * everything that is wrong with it.
 */
import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv';
import { type Dialect, type Kind, type SchemaDocument, SchemaError, type SchemaSet } from './load.ts';

export type { ErrorObject, ValidateFunction };

export interface CompiledKind {
  readonly kind: Kind;
  /** The door's test; null fits everything. */
  readonly test: ValidateFunction | null;
  readonly validate: ValidateFunction;
}

/**
 * Every error, with the subschema it comes from (by which its place in the files is known). Unknown keywords are
 * annotations and formats are asserted. Members are looked up as own properties only, so that `"required":
 * ["constructor"]` means what it says.
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

/** Compiles all kinds. Throws SchemaError, naming the file and the pointer, for a schema that does not compile. */
export async function compileKinds(set: SchemaSet): Promise<CompiledKind[]> {
  const ajv = await createAjv(set.dialect);
  for (const document of set.documents) addDocument(ajv, document);
  return set.kinds.map((kind) => ({
    kind,
    test: kind.test === null ? null : compile(ajv, kind.test.uri, set.door),
    validate: compile(ajv, kind.uri, kind.document),
  }));
}

async function createAjv(dialect: Dialect): Promise<Ajv> {
  const { default: formats } = await import('ajv-formats');
  const ajv = await newAjv(dialect);
  formats.default(ajv);
  return ajv;
}

async function newAjv(dialect: Dialect): Promise<Ajv> {
  switch (dialect) {
    case 'draft-07':
      return new (await import('ajv')).Ajv(OPTIONS);
    case '2019-09':
      return new (await import('ajv/dist/2019.js')).Ajv2019(OPTIONS);
    case '2020-12':
      return new (await import('ajv/dist/2020.js')).Ajv2020(OPTIONS);
  }
}

function addDocument(ajv: Ajv, document: SchemaDocument): void {
  const { name, schema, uri } = document;
  try {
    if (ajv.validateSchema(schema) !== true) {
      const error = deepest(ajv.errors ?? []);
      throw new SchemaError(
        `${name}#${error?.instancePath ?? ''}: not a valid JSON Schema: ${describe(error)}`,
      );
    }
    ajv.addSchema(schema, uri);
  } catch (cause) {
    if (cause instanceof SchemaError) throw cause;
    throw new SchemaError(`${name}: ${(cause as Error).message}`, { cause }); // Ajv throws Errors
  }
}

function compile(ajv: Ajv, uri: string, document: SchemaDocument): ValidateFunction {
  try {
    const validate = ajv.getSchema(uri);
    if (validate !== undefined) return validate;
    throw new Error(`there is no schema at ${uri}`);
  } catch (cause) {
    const why = (cause as Error).message; // Ajv throws Errors
    throw new SchemaError(`${document.name}: the schema does not compile: ${why}`, { cause });
  }
}

/** Of the meta-schema's complaints, the one furthest down: the others only repeat it from outside. */
function deepest(errors: readonly ErrorObject[]): ErrorObject | undefined {
  return [...errors].sort((a, b) => b.instancePath.length - a.instancePath.length)[0];
}

function describe(error: ErrorObject | undefined): string {
  if (error === undefined) return 'it does not fit its meta-schema';
  return `"${error.keyword}" of the meta-schema fails ${JSON.stringify(error.params)}`;
}
