/**
 * `paylint explain [RULE|KIND|MEMBER]`: what a rule means and where the schemas state it, or what they say about a kind
 * or a member. The data come from the library; here they become pages and tables of a given width.
 */
import { type Config, loadConfig } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import type { AlternativeExplanation, Explanation, MemberExplanation, RuleExplanation } from '../library/api.ts';
import { allMembersOf, explanationOf, keywordText, memberRows } from '../library/explanation.ts';
import { wrapped } from '../report/text-width.ts';
import { warnOfSuspects } from '../schema/suspect.ts';
import type { Io } from '../source/io.ts';
import { jsonText, quote, visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import type { KindsFlags } from './kinds.ts';
import { loadSchemasFor } from './options.ts';
import { print } from './outputs.ts';
import { widthOf } from './terminal.ts';

/** `subject`: undefined for the rules, or with `--schema` for its members. Throws UsageError if there is none. */
export async function explain(subject: string | undefined, flags: KindsFlags, io: Io): Promise<number> {
  const config = await loadConfig(flags.config, io);
  if (subject?.startsWith(CHECK)) return explainCheck(subject, config, flags, io);
  const set = await loadSchemasFor(flags, config, io);
  await warnOfSuspects(set, { strict: false }, io);
  const data = subject === undefined && flags.schema !== undefined ? allMembersOf(set) : explanationOf(subject, set);
  const text =
    flags.format === 'json' ? `${jsonText(data)}\n` : explanationText(data, flags.schema, widthOf(io.stdout, io.env));
  return print(text, io);
}

const CHECK = 'check/';

/** Throws UsageError if there is no such check. */
async function explainCheck(subject: string, config: Config, flags: KindsFlags, io: Io): Promise<number> {
  const { readChecks } = await import('../config/checks.ts');
  const { checks: asserted, relations } = await readChecks(config, true);
  const checks = [...asserted, ...relations];
  const id = subject.slice(CHECK.length).replace(/\/evaluation$/, '');
  const check = checks.find((one) => one.id === id);
  if (check === undefined) {
    const ids = checks.map((one) => one.id);
    const near = nearMiss(id, ids);
    const guess = near === null ? '' : `; did you mean ${CHECK}${near}?`;
    throw new UsageError(`there is no check ${quote(id)}${guess}`);
  }
  const { message, ...facts } = check;
  const meaning = message ?? 'compares values of all payloads';
  const rows = Object.entries(facts)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `  ${name.padEnd(8)} ${visible(typeof value === 'string' ? value : jsonText(value))}`);
  const text =
    flags.format === 'json'
      ? jsonText({ rule: CHECK + id, group: 'check', meaning, check })
      : `${CHECK}${id} — ${visible(meaning)}\n${rows.join('\n')}`;
  return print(`${text}\n`, io);
}

/** If there are more members than this, they are shown as a table with one line each. */
const PAGES = 3;

function explanationText(data: Explanation, file: string | undefined, width: number): string {
  if ('rules' in data) return ruleTable(data.rules, width);
  if ('rule' in data) return rulePage(data, width);
  const { members } = data;
  if (members.length > PAGES) return memberTable(members, file, width);
  return members.map((member) => memberPage(member, width)).join('\n');
}

function ruleTable(rules: readonly RuleExplanation[], width: number): string {
  const rowsOf = (group: RuleExplanation['group']): ExplainRow[] =>
    rules
      .filter((one) => one.group === group)
      .map(({ rule, meaning }) => [rule, /^.*?\.(?= |$)/.exec(meaning)?.[0] ?? meaning]);
  const more = inLines('paylint explain RULE says more, with an example.', '', width);
  const groups = [
    ['Rules of JSON and of paylint', rowsOf('own')],
    ['Rules of the schemas', rowsOf('schema')],
    ['Rules of paylint test', rowsOf('test')],
  ] as const;
  return [...groups.map(([heading, ofGroup]) => `${heading}:\n${table(ofGroup, width)}`), `${more}\n`].join('\n');
}

function rulePage(data: Extract<Explanation, RuleExplanation>, width: number): string {
  const { rule, meaning, fix, example, kinds } = data;
  const rows: ExplainRow[] = [['fix', fix]];
  if (example.schema !== undefined) rows.push(['schema', example.schema]);
  rows.push(['wrong', example.wrong], ['right', example.right]);
  for (const { kind, members } of kinds) {
    if (members.length > 0) rows.push([kind, members.map((path) => path || '(the payload itself)').join(', ')]);
  }
  return `${rule}\n${inLines(meaning, '  ', width)}\n${table(rows, width)}`;
}

function memberPage(member: MemberExplanation, width: number): string {
  const { title, description } = member.schema;
  const heading = pathOf(member) + (typeof title === 'string' ? ` — ${title}` : '');
  const text = typeof description === 'string' ? `${inLines(description, '  ', width)}\n` : '';
  return `${visible(heading)}\n${text}${table(memberRows(member), width)}`;
}

function memberTable(members: readonly MemberExplanation[], file: string | undefined, width: number): string {
  const rows = members.map((member): ExplainRow => {
    const { schema, required, alternatives = [] } = member;
    // What says what the value is: its type, else its values.
    const keyword = (['type', 'const', 'enum'] as const).find((name) => schema[name] !== undefined);
    const type = keyword === undefined ? [] : [keywordText(member, keyword)];
    const title = typeof schema.title === 'string' ? [schema.title] : [];
    return [
      pathOf(member),
      [...title, ...type, ...(required ? ['required'] : []), ...alternatives.map(shortly)].join(', '),
    ];
  });
  const schema = file === undefined ? '' : ` --schema ${file}`;
  const more = inLines(`paylint explain ${pathOf(members[0]!)}${schema} says more.`, '', width);
  return `${table(rows, width)}\n${more}\n`;
}

/** `for "method": "card"`, `in "Card"` or `in oneOf/0` */
function shortly({ title, tag, schema }: AlternativeExplanation): string {
  if (tag !== undefined) return `for ${quote(tag.name)}: ${quote(tag.value)}`;
  if (title !== undefined) return `in ${quote(title)}`;
  const [, ...steps] = schema.slice(schema.lastIndexOf('#') + 1).split('/');
  return `in ${steps.slice(-2).join('/')}`;
}

function pathOf({ kind, path }: MemberExplanation): string {
  return [kind, path].filter((part) => part !== '').join('/');
}

type ExplainRow = readonly [name: string, text: string];

function table(rows: readonly ExplainRow[], width: number): string {
  const column = Math.max(...rows.map(([name]) => visible(name).length));
  const indent = ' '.repeat(column + 4);
  return rows
    .map(([name, text]) => `  ${visible(name).padEnd(column)}  ${inLines(text, indent, width).trimStart()}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}

function inLines(text: string, indent: string, width: number): string {
  return wrapped(visible(text), width, indent, indent).join('\n');
}
