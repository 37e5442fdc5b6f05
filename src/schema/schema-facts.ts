/**
 * Ajv's errors as facts of paylint. The rule says which facts there are, so the compiler checks the code that reads them.
 */
import type { DefinedError } from 'ajv';
import type { LimitFormatError } from 'ajv-formats/dist/limit.js';
import type { SchemaFacts } from '../keywords/params.ts';
import { jsonType } from '../words/found.ts';

/** An error of the keywords that paylint's Ajv has; the keyword says which params there are. */
export type AjvError = Exclude<DefinedError, { readonly keyword: 'discriminator' }> | LimitFormatError;

/** The facts of an error about the value `data`. */
export function schemaFacts({ keyword, params }: AjvError, data: unknown): SchemaFacts {
  switch (keyword) {
    case 'required':
      return { rule: keyword, params: { missing: params.missingProperty } };
    case 'dependentRequired':
    case 'dependencies':
      return { rule: keyword, params: { missing: params.missingProperty, because: params.property } };
    case 'additionalProperties':
      return { rule: keyword, params: { additional: params.additionalProperty } };
    case 'unevaluatedProperties':
      return { rule: keyword, params: { additional: params.unevaluatedProperty } };
    case 'propertyNames':
      return { rule: keyword, params: { name: params.propertyName } };
    case 'type':
      return { rule: keyword, params: { expected: params.type, found: jsonType(data) } };
    case 'enum':
      return { rule: keyword, params: { allowed: params.allowedValues } };
    case 'const':
      return { rule: keyword, params: { allowed: [params.allowedValue] } };
    case 'multipleOf':
      return { rule: keyword, params: { divisor: params.multipleOf } };
    case 'uniqueItems':
      return { rule: keyword, params: { first: params.j, second: params.i } };
    case 'oneOf':
      return { rule: keyword, params: { passing: params.passingSchemas } };
    case 'pattern':
      return { rule: keyword, params };
    case 'format':
      return { rule: keyword, params };
    case 'contains':
      return { rule: keyword, params };
    case 'false schema':
      return { rule: 'false', params: {} };
    case 'anyOf':
    case 'not':
    case 'if':
      return { rule: keyword, params: {} };
    case 'formatMinimum':
    case 'formatMaximum':
    case 'formatExclusiveMinimum':
    case 'formatExclusiveMaximum':
      return { rule: keyword, params: { limit: params.limit } };
    default:
      return { rule: keyword, params: { limit: params.limit } };
  }
}
