/**
 * The tests and the schemas of the bundled kinds as functions that return true or false, for the guards.
 *
 * The built library replaces this module by one with the same exports (`verdictsAsModule`): straight code,
 * written from the same schemas. That one reads no file, compiles nothing and needs nothing of Node.
 */
import { bundledSchema, ENTRY_SCHEMA } from '../package.ts';
import { loadSchemas } from '../schema/load.ts';
import { namesOf, verdictAjv } from './verdict-ajv.ts';

export type Verdict = (value: unknown) => boolean;

export interface KindVerdicts {
  readonly name: string;
  /** Whether a value is recognised as this kind, unless an earlier kind's test fits. */
  readonly test: Verdict;
  /** Whether a value is valid as this kind. */
  readonly validate: Verdict;
}

/** Of all kinds, in the order in which they are tried. */
export const VERDICTS: readonly KindVerdicts[] = compileVerdicts();

function compileVerdicts(): KindVerdicts[] {
  const set = loadSchemas(bundledSchema(ENTRY_SCHEMA));
  const ajv = verdictAjv(set);
  const verdict = (name: string): Verdict => {
    const validate = ajv.getSchema(name)!; // a schema of the set
    return (value) => validate(value) === true;
  };
  return set.kinds.map((kind) => {
    const { validate, test } = namesOf(kind);
    return {
      name: kind.name,
      test: test === null ? () => true : verdict(test),
      validate: verdict(validate),
    };
  });
}
