/**
 * The tests and the schemas of the bundled kinds as functions that return true or false, for the guards.
 *
 * The built library replaces this module by one with the same exports (`verdictsAsModule`): Ajv's own functions, made
 * from the same schemas when the package was built. That one reads no file, compiles nothing and needs nothing of Node.
 */
import { bundledSchema, ENTRY_SCHEMA } from '../package.ts';
import { createVerdictAjv } from '../schema/compile.ts';
import { legacyOf, loadSchemas } from '../schema/load.ts';

export type Verdict = (value: unknown) => boolean;

export interface KindVerdicts {
  readonly name: string;
  /** Whether a value is recognised as this kind, unless an earlier kind's test fits. */
  readonly test: Verdict;
  /** Whether a value is valid as this kind. */
  readonly validate: Verdict;
}

/** Of all kinds, in the order in which they are tried. */
export const VERDICTS: readonly KindVerdicts[] = await compileVerdicts();

async function compileVerdicts(): Promise<KindVerdicts[]> {
  const set = legacyOf(loadSchemas(bundledSchema(ENTRY_SCHEMA)));
  const ajv = await createVerdictAjv(set);
  const verdict = (uri: string): Verdict => {
    const validate = ajv.getSchema(uri)!; // a schema of the set
    return (value) => validate(value) === true;
  };
  return set.kinds.map((kind) => ({
    name: kind.name,
    test: kind.test === null ? () => true : verdict(kind.test.uri),
    validate: verdict(kind.uri),
  }));
}
