/**
 * Tells without compiled code that a schema matches the meta-schema of its draft. It asks for what any of the drafts asks, so it knows only
 * what is common: for anything else it says no, and what was compiled from the meta-schema decides.
 */
import type { Dialect } from './load.ts';
import { isSchemaObject } from './subschemas.ts';

/** `listed`: whether `items` may be a list of schemas. */
type Form = (value: unknown, listed: boolean) => boolean;

const TYPES = new Set<unknown>(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

const isText: Form = (value) => typeof value === 'string';
const isUri: Form = (value) => typeof value === 'string' && /^[^#]*#?$/.test(value);
const isBoolean: Form = (value) => typeof value === 'boolean';
const isNumber: Form = (value) => typeof value === 'number';
const isDivisor: Form = (value) => typeof value === 'number' && value > 0;
const isCount: Form = (value) => Number.isInteger(value) && (value as number) >= 0;

/** A list of such values, none of which is there twice. */
const isSetOf =
  (of: (value: unknown) => boolean, least: number): Form =>
  (value) =>
    Array.isArray(value) &&
    value.length >= least &&
    value.every((one) => of(one)) &&
    new Set(value).size === value.length;
const isNames = isSetOf((value) => typeof value === 'string', 0);
const isScalars = isSetOf((value) => typeof value !== 'object' || value === null, 1);
const isTypes = isSetOf((value) => TYPES.has(value), 1);
const isType: Form = (value, listed) => TYPES.has(value) || isTypes(value, listed);

const isSchemas: Form = (value, listed) =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isFitting(one, listed));
const isItems: Form = (value, listed) =>
  isFitting(value, listed) || (listed && Array.isArray(value) && isSchemas(value, listed));

const isMapOf =
  (form: Form): Form =>
  (value, listed) =>
    isSchemaObject(value) && Object.keys(value).every((name) => form(value[name], listed));
const isDependency: Form = (value, listed) =>
  Array.isArray(value) ? isNames(value, listed) : isFitting(value, listed);

/** The keywords of all drafts. What is not here may have any value, and `isRare` none. */
const isRare: Form = () => false;
const KEYWORDS: readonly (readonly [form: Form, keywords: string])[] = [
  [isText, '$schema $ref $comment title description pattern format contentMediaType contentEncoding'],
  [isUri, '$id'],
  [isRare, '$anchor $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef $vocabulary'],
  [isBoolean, 'readOnly writeOnly deprecated uniqueItems'],
  [isNumber, 'maximum exclusiveMaximum minimum exclusiveMinimum'],
  [isDivisor, 'multipleOf'],
  [isCount, 'maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties'],
  [isType, 'type'],
  [isScalars, 'enum'],
  [(value) => Array.isArray(value), 'examples'],
  [isNames, 'required'],
  [isMapOf(isNames), 'dependentRequired'],
  [isMapOf(isDependency), 'dependencies'],
  [isMapOf(isFitting), '$defs definitions properties patternProperties dependentSchemas'],
  [isSchemas, 'allOf anyOf oneOf prefixItems'],
  [isItems, 'items'],
  [isFitting, 'additionalItems unevaluatedItems contains propertyNames contentSchema not if then else'],
  [isFitting, 'additionalProperties unevaluatedProperties'],
];
const FORMS: ReadonlyMap<string, Form> = new Map(
  KEYWORDS.flatMap(([form, keywords]) => keywords.split(' ').map((keyword) => [keyword, form] as const)),
);

/** True if a schema surely matches the meta-schema of the draft. Formats are not looked at. */
export function surelyFits(schema: unknown, dialect: Dialect): boolean {
  return isFitting(schema, dialect !== '2020-12');
}

function isFitting(schema: unknown, listed: boolean): boolean {
  if (!isSchemaObject(schema)) return typeof schema === 'boolean';
  for (const keyword of Object.keys(schema)) {
    const form = FORMS.get(keyword);
    if (form !== undefined && !form(schema[keyword], listed)) return false;
  }
  return true;
}
