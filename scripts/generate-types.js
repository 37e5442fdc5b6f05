// Generates src/library/payloads.ts: a type for each kind and their union, from the schema files. The entry schema
// gives the kinds and their order. A type is named after its schema file; descriptions become docstrings. The same
// schemas always give the same text. Run it after every change of a schema: a test compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';

const schemas = new URL('../schemas/', import.meta.url);
const target = new URL('../src/library/payloads.ts', import.meta.url);

const header = `/**
 * The payloads as types: what a payload is once it is valid. Bounds and lengths are in the docstrings only.
 *
 * Generated from schemas/*.schema.json by scripts/generate-types.js. Do not edit: change a schema and run
 * \`node scripts/generate-types.js\`.
 */`;

const unionDocstring = `/**
 * A payload of any kind.
 *
 * A comparison of its \`@type\` narrows it as far as TypeScript can tell. The \`@type\` of an emoji payload may be any
 * string, and there is no type for "any string but these": so \`'Article'\` leaves \`ContentItem | Emoji\`, \`'Contract'\`
 * leaves \`Contract | Emoji\`, and any other string leaves \`Emoji\`. Among valid payloads only a contract has the type
 * \`'Contract'\`, and only a content item one of the five, since kinds are recognised in this order.
 * \`isContract(payload)\` or \`'coverage' in payload\` tells the compiler so, and \`isContentItem(payload)\` or \`'author' in
 * payload\`.
 */`;

/**
 * The whole text of src/library/payloads.ts.
 * @returns {Promise<string>}
 */
export async function generate() {
  const names = [];
  const types = [];
  for (const file of kindFiles(readSchema('payload.schema.json'))) {
    const name = typeName(file);
    const schema = { ...nameless(readSchema(file)), title: name };
    const text = await compile(schema, name, {
      bannerComment: '',
      cwd: fileURLToPath(schemas),
      style: { singleQuote: true, printWidth: 110 },
    });
    names.push(name);
    types.push(wrapped(text.trim()));
  }
  const union = `${unionDocstring}\nexport type Payload = ${names.join(' | ')};`;
  return `${[header, ...types, union].join('\n\n')}\n`;
}

/** Lines of comments have at most 120 characters. */
function wrapped(text) {
  return text.replace(/^( *\* )(.*)$/gm, (_, start, words) =>
    words.replace(new RegExp(`(.{1,${120 - start.length}})(?: |$)`, 'g'), `${start}$1\n`).trimEnd(),
  );
}

/** The schema files that the entry schema's chain of if/then/else leads to, in its order. */
function kindFiles(entry) {
  const files = [];
  for (let branch = entry; branch?.then !== undefined; branch = branch.else) files.push(branch.then.$ref);
  return files;
}

/** `content-item.schema.json` → `ContentItem` */
function typeName(file) {
  const words = file.replace('.schema.json', '').split('-');
  return words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
}

/**
 * A copy of a schema without the titles of its members: each would become a type of its own, and their names would
 * clash between files. A member without any keyword becomes `unknown`, not an object.
 */
function nameless(schema) {
  const { title: _, ...copy } = schema;
  if (copy.properties !== undefined) {
    copy.properties = Object.fromEntries(
      Object.entries(copy.properties).map(([name, member]) => [name, nameless(member)]),
    );
  }
  if (copy.items !== undefined) copy.items = nameless(copy.items);
  const asksNothing = ['type', 'const', 'enum', '$ref'].every((keyword) => copy[keyword] === undefined);
  return asksNothing ? { ...copy, tsType: 'unknown' } : copy;
}

function readSchema(file) {
  return JSON.parse(readFileSync(new URL(file, schemas), 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, await generate());
