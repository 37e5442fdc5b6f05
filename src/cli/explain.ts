/**
 * `paylint explain RULE|POINTER`: what a rule means and where the schemas state it, or what they say about a member.
 */
import { UsageError } from '../errors.ts';
import type { Io } from '../input/io.ts';
import { parsePointer } from '../json/pointer.ts';
import { Output } from '../output/output.ts';
import { type Kind, loadSchemas, type SchemaSet } from '../schema/load.ts';
import { allMembers, childrenOf, type Member, memberAt } from '../schema/members.ts';
import { jsonText, visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import { RULES, type RuleText } from '../words/rules.ts';
import { loadConfig } from './config.ts';
import type { KindsFlags } from './kinds.ts';
import { schemaPath } from './options.ts';
import { warnOfSuspects } from './suspects.ts';

export async function explain(subject: string, flags: KindsFlags, io: Io): Promise<number> {
  const config = await loadConfig(flags.config, io.cwd);
  const set = loadSchemas(schemaPath(flags.schema, config, io.cwd));
  await warnOfSuspects(set, false, io);
  const rule = Object.hasOwn(RULES, subject) ? RULES[subject] : undefined;
  const text = rule === undefined ? explainMember(subject, set) : explainRule(subject, rule, set);
  const output = new Output(io.stdout, 'standard output');
  output.write(text);
  await output.close();
  return 0;
}

function explainRule(name: string, { meaning, mend }: RuleText, set: SchemaSet): string {
  const rows: Row[] = [['mend', mend]];
  for (const kind of set.kinds) {
    const members = allMembers(set, kind).filter(({ schema }) => Object.hasOwn(schema, name));
    if (members.length === 0) continue;
    rows.push([kind.name, members.map(({ path }) => path || '(the payload itself)').join(', ')]);
  }
  return `${name}\n${wrap(meaning, '  ')}\n${table(rows)}`;
}

function explainMember(subject: string, set: SchemaSet): string {
  const found = lookUp(subject, set);
  if (found.length === 0) throw new UsageError(nothingFound(subject, set));
  return found.map(({ kind, member }) => memberText(kind, member, set)).join('\n');
}

interface Hit {
  readonly kind: Kind;
  readonly member: Member;
}

/** `contract/coverage/maxAge` in one kind, `/coverage/maxAge` in every kind that has it. */
function lookUp(subject: string, set: SchemaSet): Hit[] {
  const anywhere = subject.startsWith('/');
  const [first, ...rest] = parsePointer(anywhere ? subject : `/${subject}`);
  const tokens = (anywhere ? [first!, ...rest] : rest).filter((token) => token !== '');
  const hits: Hit[] = [];
  for (const kind of set.kinds) {
    const member = anywhere || kind.name === first ? memberAt(set, kind, tokens) : null;
    if (member !== null) hits.push({ kind, member });
  }
  return hits;
}

function nothingFound(subject: string, set: SchemaSet): string {
  const known = set.kinds.flatMap((kind) => [
    kind.name,
    ...allMembers(set, kind)
      .filter(({ path }) => path !== '')
      .map(({ path }) => `${kind.name}/${path}`),
  ]);
  const near =
    nearMiss(subject, [...Object.keys(RULES), ...known]) ??
    known.find((path) => path.endsWith(`/${subject}`)) ??
    null;
  const hint =
    near === null
      ? 'a member is written kind/name/name, as in paylint explain contract/name'
      : `did you mean "${near}"?`;
  return `"${visible(subject)}" is no rule, and no member of a kind; ${hint}`;
}

/** Annotations that have a line of their own, or none. */
const NOT_LISTED = new Set(
  '$schema $id title description $comment properties items required examples default'.split(' '),
);

function memberText(kind: Kind, member: Member, set: SchemaSet): string {
  const { schema, path } = member;
  const heading = [kind.name, path].filter((part) => part !== '').join('/');
  const title = typeof schema.title === 'string' ? ` — ${schema.title}` : '';
  const rows: Row[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (!NOT_LISTED.has(keyword)) rows.push([keyword, valueText(value)]);
  }
  if (path !== '') rows.push(['required', member.required ? 'yes' : 'no']);
  if (schema.default !== undefined) rows.push(['default', jsonText(schema.default)]);
  if (Array.isArray(schema.examples))
    rows.push(['examples', schema.examples.map((example) => jsonText(example)).join(', ')]);
  const children = childrenOf(set, member);
  if (children.length > 0) rows.push(['members', children.map(childText).join(', ')]);
  if (typeof schema.$comment === 'string') rows.push(['note', schema.$comment]);
  rows.push(['schema', set.locations.get(schema) ?? kind.document.name]);
  const description = typeof schema.description === 'string' ? `${wrap(schema.description, '  ')}\n` : '';
  return `${visible(heading + title)}\n${description}${table(rows)}`;
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'string' ? item : jsonText(item))).join(', ');
  return jsonText(value);
}

function childText({ path, required }: Member): string {
  return path.slice(path.lastIndexOf('/') + 1) + (required ? '' : '?');
}

type Row = readonly [name: string, text: string];

/** Columns that text is wrapped to; reference text, the same on every terminal. */
const WIDTH = 88;

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows
    .map(([name, text]) => {
      const indent = ' '.repeat(width + 4);
      return `  ${visible(name).padEnd(width)}  ${wrap(text, indent).trimStart()}\n`;
    })
    .join('');
}

/** Breaks `text` at spaces, every line after `indent`. */
function wrap(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of visible(text).split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, indent + line].join('\n');
}
