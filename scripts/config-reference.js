// @ts-check
// Writes the table of keys in docs/reference/config.md from the schema of the config: type, default, example and meaning of each key.
//
//   node scripts/config-reference.js
//
// test/docs/config-reference.test.ts fails if the page is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const PAGE = new URL('docs/reference/config.md', root);
const KEYS = /(?<=<!-- keys:begin .*-->\n)[\s\S]*?(?=<!-- keys:end -->)/;

/** A key as the schema describes it. @typedef {{ type?: string | string[], enum?: unknown[], items?: Key, default?: unknown, examples?: unknown[], description?: string }} Key */

/** The page with the table as the schema has it now. @param {string} page @param {{ properties: Record<string, Key> }} schema */
export function withKeys(page, { properties }) {
  const rows = Object.entries(properties)
    .filter(([name]) => !name.startsWith('$'))
    .map(([name, key]) => {
      const { default: value, examples: [example] = [] } = key;
      const cells = [code(name), typeOf(key), value === undefined ? '–' : json(value), json(example), text(key)];
      return `| ${cells.join(' | ')} |`;
    });
  return page.replace(KEYS, () =>
    ['', '| key | type | default | example | meaning |', '|---|---|---|---|---|', ...rows, '', ''].join('\n'),
  );
}

/** `string or array of strings` @param {Key} key */
function typeOf({ type, enum: values, items }) {
  if (values !== undefined) return [...new Set(values.map((value) => json(String(value))))].slice(0, 5).join(', ');
  const names = [type]
    .flat()
    .map((name) => (name === 'array' ? `array of ${items?.enum ? 'string' : (items?.type ?? 'object')}s` : name));
  return names.join(' or ');
}

/** What the flag of the same meaning does is said in its reference. Flags and file names are code. @param {Key} key */
function text({ description = '' }) {
  const asFlag = description.replace(/^As (--[\w-]+): .*/, '$1');
  return asFlag.replace(/(?<![\w-])--[a-z-]+|"schemas"|\bURI=PATH|\bNAME=FILE/g, code).replaceAll('|', '\\|');
}

function json(/** @type {unknown} */ value) {
  return code(JSON.stringify(value).replaceAll('","', '", "').replaceAll('":', '": ').replaceAll('|', '\\|'));
}

function code(/** @type {string} */ raw) {
  return `\`${raw}\``;
}

/** As in the files now. */
export function configPage() {
  const schema = JSON.parse(readFileSync(new URL('schemas/config.schema.json', root), 'utf8'));
  const page = readFileSync(PAGE, 'utf8');
  return { page, current: withKeys(page, schema) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, configPage().current);
