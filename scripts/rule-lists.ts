/**
 * The lists of rules in the schemas that users see, derived from what the source knows of rules: which rules the config may set, and which
 * rules of paylint a report may have. The build writes them into `schemas/`.
 */
import { RULES } from '../src/keywords/rules.ts';
import { OWN_RULES, type OwnRule } from '../src/words/own-rules.ts';

/** The text of a schema file, by its name in `schemas/`, with its list up to date. */
export const RULE_LISTS: Readonly<Record<string, (text: string) => string>> = {
  'config.schema.json': withLevels,
  'report.schema.json': withNames,
  'tests.schema.json': withRules,
};

/** Those that a payload can break. */
const OF_PAYLOADS = [...RULES].filter(([, { group }]) => group !== 'test').map(([name]) => name);

/** In the schema of files of tests, the rules that a test can expect. */
function withRules(text: string): string {
  const rules = OF_PAYLOADS.map((name) => `            ${JSON.stringify(name)}`);
  return replaced(text, /(?<="rule": \{\s*"enum": \[)[^\]]*(?=\])/, `\n${rules.join(',\n')}\n          `);
}

/** In the config's schema, a member for each rule: `fixed` if it cannot be made a warning. */
function withLevels(text: string): string {
  const members = OF_PAYLOADS.map((name) => {
    const isFatal = Object.hasOwn(OWN_RULES, name) && OWN_RULES[name as OwnRule].isFatal; // it has this name
    return `        ${JSON.stringify(name)}: { "$ref": "#/$defs/${isFatal ? 'fixed' : 'level'}" }`;
  });
  return replaced(text, /(?<="rules": \{[^}]*"properties": \{\n)[\s\S]*?(?=\n {6}\})/, members.join(',\n'));
}

/** In the report's schema, a sentence that names the rules of paylint. */
function withNames(text: string): string {
  const names = Object.keys(OWN_RULES).join(', ');
  return replaced(text, /(?<="A keyword of JSON Schema, or )[\w, -]*?(?=, or check\/)/, names);
}

/**
 * The schema of reports for readers: it allows members, values of `fix` and types of lines that later versions add
 * (docs/reference/stability.md). `text`: the closed one, of what is written.
 */
export function openReportSchema(text: string): string {
  const open = text
    .replace(/,\s*"(?:unevaluated|additional)Properties": false/g, '')
    .replace('"urn:paylint:report:1"', '"urn:paylint:report-open:1"')
    .replace('"title": "paylint report"', '"title": "paylint report, for readers"');
  if (/Properties": false/.test(open)) throw new Error('a part of the report schema is still closed');
  // Later versions have other commands that fix, and other types of lines.
  const commands = replaced(
    open,
    /(?<="description": "The command that fixes it; absent if none does.",\s*)"enum": \[[^\]]*\]/,
    '"type": "string"',
  );
  const types = [...open.matchAll(/"properties": \{ "type": \{ "const": ("\w+") \} \}/g)].map(([, type]) => type);
  // Laid out as the formatter does it.
  const not = `"type": "string",\n              "not": { "enum": [${types.join(', ')}] }`;
  const type = `"type": {\n              ${not}\n            }`;
  const other = `{\n          "properties": {\n            ${type}\n          }\n        }`;
  return replaced(commands, /(?<="type": \{ "const": "summary" \} \} \})(?=\n)/, `,\n        ${other}`);
}

/** `text` with another part where `pattern` matches. Throws if it matches nowhere: the schema has another form than expected. */
function replaced(text: string, pattern: RegExp, part: string): string {
  if (!pattern.test(text)) throw new Error(`there is no list of rules to replace: ${pattern.source}`);
  return text.replace(pattern, () => part);
}
