/**
 * The guards' functions as the text of a module: straight code for the keywords that the bundled schemas use, each member looked up once.
 */
import { isNode, type Schema, type SchemaNode } from '../src/schema/node.ts';
import type { SchemaSet } from '../src/schema/set.ts';

/** An ES module to replace `src/library/verdicts.ts`: it has the same exports, and imports nothing. Throws an Error for a keyword that it does not know. */
export function verdictsAsModule({ kinds }: Pick<SchemaSet, 'kinds'>): string {
  const writer = new Writer();
  const rows = kinds.map(({ name, schema, test }) => {
    const recognise = test === null ? 'true' : writer.check(test, 'd');
    return `{name:${JSON.stringify(name)},test:(d)=>${recognise},validate:(d)=>${writer.check(schema, 'd')}},`;
  });
  return [HELPERS, ...writer.functions, `export const VERDICTS=[\n${rows.join('\n')}\n];\n`].join('\n');
}

/**
 * `isLong`: between `least` and `most` code points, which are counted only if it matters. A member is an own one; of a plain object it is, unless all
 * objects have one of that name.
 */
const HELPERS = `
const { isArray } = Array;
const { isFinite, isInteger } = Number;
const { getPrototypeOf, keys, prototype: ROOT } = Object;
const { hasOwnProperty } = ROOT;
function isLong(text, least, most) {
  const { length } = text;
  if (length < least || length > 2 * most) return false;
  if (length >= 2 * least && length <= most) return true;
  let count = 0;
  for (const _ of text) count++;
  return count >= least && count <= most;
}
`;

/** What does not judge. */
const SILENT: readonly string[] = ['id', 'origin', 'title', 'description', 'default', 'examples', 'deprecated'];

const TYPES: Readonly<Record<string, (v: string) => string>> = {
  object: (v) => `typeof ${v}==='object'&&${v}!==null&&!isArray(${v})`,
  array: (v) => `isArray(${v})`,
  string: (v) => `typeof ${v}==='string'`,
  boolean: (v) => `typeof ${v}==='boolean'`,
  null: (v) => `${v}===null`,
  // JSON has no others.
  number: (v) => `isFinite(${v})`,
  integer: (v) => `isInteger(${v})`,
};

class Writer {
  readonly functions: string[] = [];
  readonly #names = new Map<SchemaNode, string>();

  /** An expression that is true if the value of the variable is valid. */
  check(schema: Schema, v: string): string {
    if (!isNode(schema)) return String(schema);
    const checks = this.#checks(schema, v);
    return checks.length === 0 ? 'true' : checks.map((check) => `(${check})`).join('&&');
  }

  #checks(node: SchemaNode, v: string): string[] {
    const { type, enum: values, const: only, minLength, maxLength, minimum, maximum, items, $ref } = node;
    const { properties, required, additionalProperties, ...others } = node;
    const known = ['type', 'enum', 'const', 'minLength', 'maxLength', 'minimum', 'maximum', 'items', '$ref'];
    const unknown = Object.keys(others).find((name) => !known.includes(name) && !SILENT.includes(name));
    if (unknown !== undefined) throw new Error(`the guards need code for ${unknown}, in scripts/verdicts-module.ts`);
    const types = type === undefined ? [] : [type].flat();
    const checks: string[] = [];
    if (types.length > 0) checks.push(types.map((name) => TYPES[name]!(v)).join('||'));
    if (values !== undefined) checks.push(values.map((value) => `${v}===${literal(value)}`).join('||'));
    if ('const' in node) checks.push(`${v}===${literal(only)}`);
    if (minLength !== undefined || maxLength !== undefined)
      checks.push(`typeof ${v}!=='string'||isLong(${v},${minLength ?? 0},${maxLength ?? 'Infinity'})`);
    if (minimum !== undefined) checks.push(`typeof ${v}!=='number'||${v}>=${minimum}`);
    if (maximum !== undefined) checks.push(`typeof ${v}!=='number'||${v}<=${maximum}`);
    // It is one schema in the dialect of the graph.
    // `every` would skip holes.
    if (items !== undefined)
      checks.push(`!isArray(${v})||${v}.findIndex((d)=>!(${this.check(items as Schema, 'd')}))<0`);
    for (const schema of $ref ?? []) checks.push(this.check(schema, v));
    if ((properties ?? required ?? additionalProperties) !== undefined)
      checks.push(`${types.length > 0 ? '' : `!(${TYPES.object!(v)})||`}${this.#members(node)}(${v})`);
    return checks;
  }

  /** The name of a function that judges the members of an object. */
  #members(node: SchemaNode): string {
    const made = this.#names.get(node);
    if (made !== undefined) return made;
    const { properties = {}, required = [], additionalProperties = true } = node;
    const function_ = `members${this.#names.size}`;
    this.#names.set(node, function_);
    const names = [...new Set([...Object.keys(properties), ...required])];
    const steps = names.map((name, i) => {
      const [key, v] = [JSON.stringify(name), `v${i}`];
      const isOwn = `${v}!==undefined&&(isPlain&&${v}!==ROOT[${key}]||hasOwnProperty.call(d,${key}))`;
      const otherwise = required.includes(name) ? 'else return false;' : '';
      return `const ${v}=d[${key}];if(${isOwn}){if(!(${this.check(properties[name] ?? true, v)}))return false}${otherwise}`;
    });
    if (additionalProperties === false)
      steps.push(`for(const name of keys(d))if(!${JSON.stringify(names)}.includes(name))return false;`);
    else if (additionalProperties !== true) throw new Error('the guards need code for additionalProperties');
    const body = `const isPlain=getPrototypeOf(d)===ROOT;${steps.join('')}return true`;
    this.functions.push(`function ${function_}(d){${body}}`);
    return function_;
  }
}

function literal(value: unknown): string {
  if (typeof value === 'object' && value !== null) throw new Error('the guards need code for objects in enum');
  return JSON.stringify(value);
}
