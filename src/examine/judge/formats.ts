/**
 * The keyword `format`, and limits for values of a format. Ajv judges them, with the formats of ajv-formats. Both are loaded only for
 * schemas that use these keywords, and a format is compiled when a payload first has a value of it.
 */
import type { Ajv, Options } from 'ajv';
import { SchemaError } from '../../errors.ts';
import type { SchemaNode } from '../../schema/node.ts';
import type { FormatLimit, Step } from './step.ts';

export interface Formats {
  /** Judges texts and numbers of a format; null: all are right. */
  readonly format: (name: string) => Step | null;
  /** The same for a limit of values of the format. Throws SchemaError if the format has no order. */
  readonly formatLimit: (name: string, keyword: FormatLimit, limit: string) => Step | null;
}

/** An unknown format is an annotation. */
const OPTIONS: Options = { strict: false, validateSchema: false, logger: false };

/** For schemas whose formats are annotations, or that have none. */
export const NO_FORMATS: Formats = { format: () => null, formatLimit: () => null };

/** The modules that judge formats. */
export interface FormatModules {
  readonly Ajv: new (options: Options) => Ajv;
  readonly addFormats: (ajv: Ajv) => Ajv;
  readonly linearFormats: (ajv: Ajv) => void;
}

export function usesFormats(nodes: Iterable<SchemaNode>): boolean {
  for (const { format } of nodes) if (format !== undefined) return true;
  return false;
}

export async function loadFormatModules(): Promise<FormatModules> {
  const [{ Ajv2020 }, { default: formats }, { linearFormats }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
    import('../../schema/linear-formats.ts'),
  ]);
  return { Ajv: Ajv2020, addFormats: formats.default, linearFormats };
}

export function formatsWith({ Ajv, addFormats, linearFormats }: FormatModules): Formats {
  const ajv = addFormats(new Ajv(OPTIONS));
  linearFormats(ajv);
  const made = new Map<string, Step>();
  const compile = (schema: Readonly<Record<string, string>>): Step => {
    const key = JSON.stringify(schema);
    const step = made.get(key) ?? (ajv.compile(schema) as Step); // a schema without "$async"
    made.set(key, step);
    return step;
  };
  return {
    format: (name) => compile({ format: name }),
    formatLimit(name, keyword, limit) {
      try {
        return compile({ type: 'string', format: name, [keyword]: limit });
      } catch (cause) {
        throw new SchemaError(`${keyword}: ${(cause as Error).message}`, { cause }); // Ajv throws Errors
      }
    },
  };
}
