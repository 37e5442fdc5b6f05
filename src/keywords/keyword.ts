/**
 * What is known of a keyword of JSON Schema: one object for each, in a file of its own or of its family. `index.ts`
 * derives every list from these objects.
 */
import type { JsonType } from '../json/vocabulary.ts';
import type { Keywords, SchemaNode } from '../schema/node.ts';
import type { RuleRow } from '../words/rule.ts';
import type { Found } from '../words/value-text.ts';

/**
 * `Params`: the facts of a violation, which reports show, and from which its sentence is made.
 *
 *     format: {
 *       ofSchema: ({ format }) => ({ format: format! }),                       // the params
 *       judge: ({ node, format }) => format(node.format!),                     // the test of values
 *       sentence: ({ format }, found) => `expected the format ${schemaText(format)}, found ${foundText(found)}`,
 *       text: { meaning: 'The string does not have the format.', fix, schema, wrong, right }, // for `explain`
 *     }
 */
export interface Keyword<Params> extends Pick<RuleRow, 'text'> {
  /** One sentence for people. Payload text in `found` is quoted, escaped and cut; text of the schema is escaped here. */
  readonly sentence: (params: Params, found: Found) => string;
  /** Which bytes of the value are shown, if not all. The name of a member is payload text, and so are its params. */
  readonly anchor?: Exclude<SpanOf, 'value'>;
  /** The section that states it; null: there is none; absent: the section of this name in the specification of its vocabulary. */
  readonly link?: string | null;
  /** Not reported for a value of the wrong type: then only the type is reported. */
  readonly yieldsToType?: true;
  /** It applies other schemas to values of any type. */
  readonly judgesAll?: true;
  /** The params that come from a schema with the keyword; absent: all of them come from the payload. */
  readonly ofSchema?: (node: SchemaNode) => Partial<Params>;
  /** The test of values for a schema with the keyword; null: it allows all. Absent: see `engine/judge/order.ts`. */
  readonly judge?: (context: KeywordContext) => Test | null;
  /** The members that a schema with the keyword requires: each one that is missing is a violation. Absent: it requires none. */
  readonly requires?: (node: Keywords) => readonly Requirement[];
  /** Whether a schema with the keyword forbids equal items: the first two are the violation. Absent: it compares no items. */
  readonly comparesItems?: (node: Keywords) => boolean;
  /** The number or size that the limit is compared with; absent: the keyword is no limit. */
  readonly measure?: Measure;
  /** Replaces the params that come from the payload; absent: none does. */
  readonly ofPayload?: (params: Params, seen: Seen) => Params;
  /** The name of a member, if the violation is about one. It is payload text; undefined: it must not be shown. */
  readonly nameIn?: (params: Params) => string | undefined;
  /** What was probably meant; null: there is no guess. */
  readonly suggest?: (params: Params, about: About) => Suggested | null;
}

/** Whether a value meets a keyword. It is asked about values of the types that the keyword is about. */
export type Test = (value: unknown) => boolean;

/** The size of a value. If it is surely between `least` and `most`, any number between them will do: that saves counting. */
export type Measure = (value: unknown, least: number, most: number) => number;

/** What the tests of one schema are made with. */
export interface KeywordContext {
  readonly node: SchemaNode;
  /** Compiles a regular expression of `pattern` or `patternProperties`. */
  readonly pattern: (source: string) => (text: string) => boolean;
  /** Judges texts and numbers of a format; null if the format is not known, or not asserted. */
  readonly format: (name: string) => Test | null;
}

export interface Requirement {
  readonly names: readonly string[];
  /** The member because of which an object must have them; null: every object must. */
  readonly because: string | null;
}

/** Bytes of a value: all, its opening bracket, or the name of a member. */
export type SpanOf = 'value' | 'opening' | 'name';

/** What the bytes of a payload show of a violation. */
export interface Seen {
  readonly type: JsonType;
  /** Of the member, if the rule is about one. It may be read each time. */
  readonly name: string;
  /** Indexes of two items. */
  readonly items: readonly [first: number, second: number];
}

/** The value that a violation is about. */
export interface About {
  /** Reads it, which may take time. */
  readonly value: () => unknown;
  /** The members that the same schema has: the names of `properties`, for a missing member also those of `required`. */
  readonly properties: object;
}

export interface Suggested {
  /** The schema's word that was probably meant. */
  readonly suggestion: string;
  /** For a missing member: the name that the payload has instead. */
  readonly found?: string;
}

/** The keywords of a family, by name. */
export type Family<ParamsByName> = { readonly [R in keyof ParamsByName]: Keyword<ParamsByName[R]> };

const SPECIFICATION = 'https://json-schema.org/draft/2020-12/json-schema-';

/** The section of a keyword in the specification of its vocabulary, of 2020-12. */
export function specification(vocabulary: 'core' | 'validation', keyword: string): string {
  return `${SPECIFICATION}${vocabulary}#name-${keyword.toLowerCase()}`;
}

/** For keywords that only earlier drafts have: the last specification of them, which has no address for each. */
export const EARLIER_SPECIFICATION = 'https://json-schema.org/draft-07/json-schema-validation';

export function suggested(word: string | null): Suggested | null {
  return word === null ? null : { suggestion: word };
}
