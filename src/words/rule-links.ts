/**
 * Where the standard that states a rule can be read: the help links of reports. paylint's own rules have none, for paylint has no address yet.
 */

const SCHEMA = 'https://json-schema.org/draft/2020-12/json-schema-';
const RFC = 'https://www.rfc-editor.org/rfc/rfc';

/** Keywords with a section of their own in the validation vocabulary (2020-12, section 6). */
const VALIDATION = new Set(
  (
    'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems ' +
    'uniqueItems maxContains minContains maxProperties minProperties required dependentRequired'
  ).split(' '),
);

/** The same in the core (2020-12, sections 10 and 11). */
const CORE = new Set(
  'anyOf oneOf not items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties'.split(
    ' ',
  ),
);

const OTHERS: Readonly<Record<string, string>> = {
  'json-syntax': `${RFC}8259`,
  'json-encoding': `${RFC}8259#section-8.1`,
  'duplicate-member': `${RFC}8259#section-4`,
  'number-out-of-range': `${RFC}8259#section-6`,
  'advice/date-time': `${RFC}3339#section-5.6`,
  format: `${SCHEMA}validation#name-defined-formats`,
  // Keywords of draft-07.
  additionalItems: 'https://json-schema.org/draft-07/json-schema-validation',
  dependencies: 'https://json-schema.org/draft-07/json-schema-validation',
};

/** Absolute URL; null if no standard states the rule. */
export function linkOf(rule: string): string | null {
  if (VALIDATION.has(rule)) return `${SCHEMA}validation#name-${rule.toLowerCase()}`;
  if (CORE.has(rule)) return `${SCHEMA}core#name-${rule.toLowerCase()}`;
  return Object.hasOwn(OTHERS, rule) ? OTHERS[rule]! : null;
}
