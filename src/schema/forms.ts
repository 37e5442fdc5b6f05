/**
 * Whether the value of a keyword has the form that its draft demands. The rules are those of the meta-schemas, as code,
 * because applying a meta-schema takes longer than reading the schema.
 */
import { compareNumbers, isInteger, isNumber, type JsonNumber } from '../json/decimal.ts';
import { memoizedWeakly } from '../json/on-demand.ts';
import { escapeToken } from '../json/pointer.ts';
import { ValueTexts } from '../json/value.ts';
import type { JsonType } from '../json/vocabulary.ts';
import { quote } from '../words/escape.ts';
import { guessed } from '../words/near.ts';
import { foundText, jsonType, schemaText, withArticle } from '../words/value-text.ts';
import type { Draft, Form } from './drafts.ts';
import { TYPE_NAMES, type TypeName } from './names.ts';
import { regExpFault } from './regexp.ts';

export interface FormFault {
  /** From the value of the keyword to the fault in it (RFC 6901). */
  readonly pointer: string;
  /** As `expected an array, found "x"`. */
  readonly text: string;
}

type FormCheck = (value: unknown) => FormFault | null;

/**
 * The fault of the value of a keyword in a draft; null: it has the form. Numbers have the value that the file writes
 * (`JsonNumber`). Subschemas are checked where they are, not here.
 */
export function formFault(form: Form, value: unknown, draft: Draft): FormFault | null {
  return checksOf(draft)[form](value);
}

/** They are made when a schema of the draft is read. */
const checksOf = memoizedWeakly((draft: Draft) =>
  checksFor(draft.hasBooleanSchemas ? schemaOrBoolean : schemaObject(draft)),
);

function fault(text: string, pointer = ''): FormFault {
  return { pointer, text };
}

function expected(what: string, value: unknown): FormFault {
  const type = typeOf(value);
  const text =
    type === 'string' ? quote(value as string) : type === 'object' || type === 'array' ? null : String(value);
  return fault(`expected ${what}, found ${foundText({ type, text })}`);
}

function typeOf(value: unknown): JsonType {
  return typeof value === 'object' && isNumber(value) ? 'number' : jsonType(value);
}

function signOf(value: unknown): number {
  return compareNumbers(value as JsonNumber, 0);
}

function ofType(types: readonly string[], further: FormCheck = () => null): FormCheck {
  return (value) => {
    const type = typeOf(value);
    const isOne = types.includes(type) || (types.includes('integer') && isNumber(value) && isInteger(value));
    return isOne ? further(value) : expected(types.map(withArticle).join(' or '), value);
  };
}

function listOf(each: FormCheck, { least = 0, unique = false } = {}): FormCheck {
  return ofType(['array'], (value) => {
    const list = value as readonly unknown[]; // just checked
    if (list.length < least) return fault(`expected at least ${least} item, found ${list.length}`);
    for (const [i, item] of list.entries()) {
      const inner = each(item);
      if (inner !== null) return fault(inner.text, `/${i}${inner.pointer}`);
    }
    const equal = unique ? new ValueTexts().repeatedItems(list) : null;
    return equal === null ? null : fault(`items ${equal.join(' and ')} are equal`);
  });
}

/** An object whose members pass `each`, and their names `name`. */
function mapOf(each: FormCheck, name: FormCheck = anything): FormCheck {
  return ofType(['object'], (value) => {
    for (const [key, member] of Object.entries(value as object)) {
      const inner = name(key) ?? each(member);
      if (inner !== null) return fault(inner.text, `/${escapeToken(key)}${inner.pointer}`);
    }
    return null;
  });
}

const anything: FormCheck = () => null;
const text = ofType(['string']);
const names = listOf(text, { unique: true });
const schemaOrBoolean = ofType(['object', 'boolean']);
const someNames = listOf(text, { least: 1, unique: true });

const pattern = ofType(['string'], (value) => {
  const why = regExpFault(value as string);
  return why === null ? null : fault(why);
});

const typeName: FormCheck = (value) => {
  if (TYPE_NAMES.includes(value as TypeName)) return null;
  const { text } = expected(`one of ${TYPE_NAMES.map(schemaText).join(', ')}`, value);
  return fault(typeof value === 'string' ? text + guessed(value, TYPE_NAMES) : text);
};

/** A text that matches. `what`: as the end of `expected …`. */
function matching(regExp: RegExp, what: string, hint: (value: string) => string = () => ''): FormCheck {
  return ofType(['string'], (value) => {
    if (regExp.test(value as string)) return null;
    const { text: sentence } = expected(what, value);
    return fault(`${sentence}${hint(value as string)}`);
  });
}

/** For a draft that has no other schemas. */
function schemaObject({ title }: Draft): FormCheck {
  return (value) => {
    const wrong = ofType(['object'])(value);
    if (wrong === null || typeof value !== 'boolean') return wrong;
    return fault(`${wrong.text}; ${title} has no ${value} as a schema: write ${value ? '{}' : '{"not": {}}'}`);
  };
}

/** The checks of a draft with these schemas. URI references are checked where they are resolved. */
function checksFor(schema: FormCheck): Readonly<Record<Form, FormCheck>> {
  const schemas = listOf(schema, { least: 1 });
  const dependencies = (namesOf: FormCheck): FormCheck =>
    mapOf((value) => (Array.isArray(value) ? namesOf(value) : schema(value)));
  return {
    schema,
    'schema or boolean': schemaOrBoolean,
    schemas,
    'schema or schemas': (value) => (Array.isArray(value) ? schemas(value) : schema(value)),
    'schemas by name': mapOf(schema),
    'schemas by pattern': mapOf(schema, pattern),
    'schemas or names by name': dependencies(names),
    'schemas or some names by name': dependencies(someNames),
    'names by name': mapOf(names),
    names,
    'some names': someNames,
    types: (value) => (Array.isArray(value) ? listOf(typeName, { least: 1, unique: true })(value) : typeName(value)),
    values: listOf(anything),
    'some values': listOf(anything, { least: 1, unique: true }),
    count: ofType(['integer'], (value) => (signOf(value) < 0 ? expected('at least 0', value) : null)),
    number: ofType(['number']),
    'number above 0': ofType(['number'], (value) => (signOf(value) <= 0 ? expected('more than 0', value) : null)),
    boolean: ofType(['boolean']),
    string: text,
    pattern,
    reference: text,
    identifier: matching(/^[^#]*#?$/, 'a URI reference without a fragment', (id) =>
      id.startsWith('#') ? `; did you mean "$anchor": ${quote(id.slice(1))}?` : '',
    ),
    anchor: matching(/^[A-Za-z_][-A-Za-z0-9._]*$/, 'a letter or "_", then letters, digits, "-", "_" and "."'),
    'anchor with colons': matching(
      /^[A-Za-z][-A-Za-z0-9.:_]*$/,
      'a letter, then letters, digits, "-", "_", ":" and "."',
    ),
    vocabularies: mapOf(ofType(['boolean']), (name) => (URL.canParse(name as string) ? null : expected('a URI', name))),
    any: anything,
    'keywords of the caller': anything,
  };
}
