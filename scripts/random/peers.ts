/**
 * The verdicts of Ajv and of @hyperjump/json-schema. Formats are annotations.
 */
import '@hyperjump/json-schema/draft-04';
import '@hyperjump/json-schema/draft-06';
import '@hyperjump/json-schema/draft-07';
import '@hyperjump/json-schema/draft-2019-09';
import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import { Ajv, type AnySchema } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Draft, URIS } from './schema-maker.ts';

/** Null: the peer does not take the schema, or fails. */
export type Peer = (value: unknown) => boolean | null;

const OPTIONS = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  logger: false,
  ownProperties: true,
} as const;
const NONE: Peer = () => null;

function orNull(judge: (value: unknown) => boolean): Peer {
  return (value) => {
    try {
      return judge(value);
    } catch {
      return null;
    }
  };
}

/** Ajv does not have draft-04, and reads draft-06 as draft-07. */
function ajvFor(draft: Draft, schema: AnySchema): Peer {
  if (draft === '4') return NONE;
  try {
    const isOld = draft === '6' || draft === '7';
    const ajv = isOld
      ? new Ajv({ ...OPTIONS, ignoreKeywordsWithRef: true } as object)
      : new { '2019-09': Ajv2019, '2020-12': Ajv2020 }[draft](OPTIONS);
    const { $schema: _, ...others } = schema as Record<string, unknown>; // made by SchemaMaker
    const check = ajv.compile(others);
    return orNull((value) => check(value));
  } catch {
    return NONE;
  }
}

let count = 0;

async function hyperjumpFor(draft: Draft, schema: never): Promise<Peer> {
  const uri = `http://x.test/schema${count++}`;
  try {
    registerSchema(schema, uri, URIS[draft]);
    const check = await validate(uri);
    return orNull((value) => check(value as never).valid);
  } catch {
    return NONE;
  } finally {
    unregisterSchema(uri);
  }
}

/**
 * What both say of the text of a value. Null: they disagree, so one of them is wrong, or Hyperjump, which is the more careful
 * one, has no verdict. Both take what `contains` matches for evaluated in draft 2019-09, which has no such rule.
 */
export async function peersFor(draft: Draft, schemaText: string): Promise<(text: string) => boolean | null> {
  if (draft === '2019-09' && /"contains".*"unevaluatedItems"|"unevaluatedItems".*"contains"/s.test(schemaText))
    return () => null;
  const hyperjump = await hyperjumpFor(draft, JSON.parse(schemaText) as never); // made by SchemaMaker
  const ajv = ajvFor(draft, JSON.parse(schemaText) as AnySchema);
  return (text) => {
    const [careful, quick] = [hyperjump(JSON.parse(text)), ajv(JSON.parse(text))];
    return quick === null || quick === careful ? careful : null;
  };
}
