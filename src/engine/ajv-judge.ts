/**
 * Ajv 8 with ajv-formats as a second judge, by their public API: the class by the draft of the schema. Only `compare
 * --against ajv` loads it, in a thread of its own.
 */
import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import addFormats from 'ajv-formats';

/** What Ajv compiles; plain data. */
export interface AjvSchemas {
  readonly draft: '6' | '7' | '2019-09' | '2020-12';
  /** The text of each file, and the URI that references lead to it by. */
  readonly files: readonly { readonly uri: string; readonly text: string }[];
  /** The URI of the schema, with its fragment. */
  readonly root: string;
  readonly assertsFormats: boolean;
}

export interface AjvError {
  readonly rule: string;
  /** RFC 6901, from the payload's root. */
  readonly pointer: string;
  readonly message: string;
  /** The keyword is beside a `$ref`. */
  readonly besideRef: boolean;
}

/** Null: the text is not JSON. */
export type AjvAnswer = { readonly valid: boolean; readonly errors: readonly AjvError[] } | null;

const LISTED_ERRORS = 20;

/** As services use it: formats are asserted, and all else is as Ajv has it, but for its strict mode, which is about schemas. */
const AJV_OPTIONS: Options = { strict: false, allErrors: true, verbose: true, logger: false };

/** Throws what Ajv throws for schemas that it cannot compile. */
export function createAjvJudge(schemas: AjvSchemas): (text: string) => AjvAnswer {
  const { draft, files, root, assertsFormats } = schemas;
  const options = { ...AJV_OPTIONS, validateFormats: assertsFormats };
  const ajv =
    draft === '2020-12' ? new Ajv2020(options) : draft === '2019-09' ? new Ajv2019(options) : new Ajv(options);
  if (draft === '6') ajv.addMetaSchema(draft06);
  // The keywords of ajv-formats are none of JSON Schema.
  addFormats.default(ajv, { mode: 'full', keywords: false });
  for (const { uri, text } of files) ajv.addSchema(JSON.parse(text), uri);
  const validate = ajv.compile({ $ref: root });
  return (text) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return null;
    }
    const valid = validate(value) === true;
    return { valid, errors: (validate.errors ?? []).slice(0, LISTED_ERRORS).map(errorOf) };
  };
}

function errorOf({ keyword, instancePath, message = '', parentSchema }: ErrorObject): AjvError {
  return { rule: keyword, pointer: instancePath, message, besideRef: parentSchema?.$ref !== undefined };
}
