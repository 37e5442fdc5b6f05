/**
 * The pages and tables of `explain`, as text for a width and as JSON values.
 */
import { type KnownRule, RULES } from '../keywords/rules.ts';
import { isRawObject, type RawObject } from '../schema/document.ts';
import { asWritten, type Kind, type SchemaSet } from '../schema/load.ts';
import { childrenOf, type Member } from '../schema/members.ts';
import { keywordValue } from '../schema/node.ts';
import { jsonText, visible } from '../words/escape.ts';
import type { RuleText } from '../words/rule.ts';

export interface Hit {
  readonly kind: Kind;
  readonly member: Member;
}

/** The members of a kind at which its schema states a rule, by path; `''` is the payload itself. */
export interface Places {
  readonly kind: string;
  readonly members: readonly string[];
}

/** All rules with what they mean, in columns. */
export function ruleTable(width: number): string {
  const rowsOf = (group: KnownRule['group']): Row[] =>
    [...RULES]
      .filter(([, rule]) => rule.group === group)
      .map(([name, { text }]) => [name, firstSentence(text.meaning)]);
  const more = wrap('paylint explain RULE says more, with an example.', '', width);
  const groups = [
    ['Rules of JSON and of paylint', rowsOf('own')],
    ['Rules of the schemas', rowsOf('schema')],
    ['Rules of --advice', rowsOf('advice')],
  ] as const;
  return [...groups.map(([heading, ofGroup]) => `${heading}:\n${table(ofGroup, width)}`), `${more}\n`].join(
    '\n',
  );
}

function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

export function rulePage(name: string, rule: RuleText, places: readonly Places[], width: number): string {
  const { meaning, fix, schema, wrong, right } = rule;
  const rows: Row[] = [['fix', fix]];
  if (schema !== undefined) rows.push(['schema', schema]);
  rows.push(['wrong', wrong], ['right', right]);
  for (const { kind, members } of places) {
    if (members.length > 0)
      rows.push([kind, members.map((path) => path || '(the payload itself)').join(', ')]);
  }
  return `${name}\n${wrap(meaning, '  ', width)}\n${table(rows, width)}`;
}

export function ruleData(name: string, { meaning, fix, schema, wrong, right }: RuleText) {
  return { rule: name, meaning, fix, example: { ...(schema === undefined ? {} : { schema }), wrong, right } };
}

/** Annotations that have a row of their own, or none. */
const NOT_LISTED = new Set(
  '$schema $id title description $comment properties items required examples default'.split(' '),
);

/** All that the schemas say about a member. */
export function memberPage({ kind, member }: Hit, set: SchemaSet, width: number): string {
  const { path } = member;
  const schema = writtenOf(member, set);
  const title = typeof schema.title === 'string' ? ` — ${schema.title}` : '';
  const rows: Row[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (!NOT_LISTED.has(keyword)) rows.push([keyword, valueText(value, numbersOf(member, keyword))]);
  }
  if (path !== '') rows.push(['required', member.required ? 'yes' : 'no']);
  if (schema.default !== undefined) rows.push(['default', jsonText(schema.default)]);
  if (Array.isArray(schema.examples))
    rows.push(['examples', schema.examples.map((example: unknown) => jsonText(example)).join(', ')]);
  const children = childrenOf(member);
  if (children.length > 0) rows.push(['members', children.map(childText).join(', ')]);
  const note = noteOf(schema);
  if (note !== null) rows.push(['note', note]);
  rows.push(['stated in', placeOf({ kind, member })]);
  const description =
    typeof schema.description === 'string' ? `${wrap(schema.description, '  ', width)}\n` : '';
  return `${visible(pathOf({ kind, member }) + title)}\n${description}${table(rows, width)}`;
}

/** A row for each member. */
export function memberTable(hits: readonly Hit[], width: number): string {
  const rows = hits.map((hit): Row => {
    const { schema, required } = hit.member;
    const type = schema.type === undefined ? [] : [valueText(schema.type)];
    const title = typeof schema.title === 'string' ? [schema.title] : [];
    return [pathOf(hit), [...title, ...type, ...(required ? ['required'] : [])].join(', ')];
  });
  const more = wrap(`paylint explain ${visible(pathOf(hits[0]!))} says more.`, '', width);
  return `${table(rows, width)}\n${more}\n`;
}

export function memberData(hit: Hit, set: SchemaSet) {
  const { path, required } = hit.member;
  const schema = writtenOf(hit.member, set);
  return {
    kind: hit.kind.name,
    path,
    required,
    schema: Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$comment')),
    note: noteOf(schema),
    statedIn: placeOf(hit),
  };
}

function pathOf({ kind, member }: Hit): string {
  return [kind.name, member.path].filter((part) => part !== '').join('/');
}

function placeOf({ kind, member }: Hit): string {
  return member.schema.origin.place || kind.document.name;
}

/** What the files say of a member, with the keywords that only people read. Its references have been followed. */
function writtenOf({ said }: Member, set: SchemaSet): RawObject {
  const schemas = said.map((node) => asWritten(node, set)).filter(isRawObject);
  const { $ref, $dynamicRef, $recursiveRef, ...others }: RawObject = Object.assign({}, ...schemas.reverse()); // what is beside a reference counts more
  return others;
}

/** The schema's comment; without the number of the decision, which bundled schemas have for contributors. */
function noteOf({ $comment }: RawObject): string | null {
  if (typeof $comment !== 'string') return null;
  return $comment.replace(/^Decision \d+: (.)/, (_, first: string) => first.toUpperCase());
}

/** By index in a list, or null: a number of the keyword as the file writes it, if a double may have lost digits. */
type WrittenNumber = (index: number | null) => string | undefined;

function numbersOf({ said }: Member, keyword: string): WrittenNumber {
  const numbers = said.find((node) => keywordValue(node, keyword) !== undefined)?.origin.numbers;
  return (index) => numbers?.[index === null ? keyword : `${keyword}/${index}`];
}

function valueText(value: unknown, written: WrittenNumber = () => undefined): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value))
    return value
      .map((item, i) => (typeof item === 'string' ? item : (written(i) ?? jsonText(item))))
      .join(', ');
  return written(null) ?? jsonText(value);
}

function childText({ path, required }: Member): string {
  return path.slice(path.lastIndexOf('/') + 1) + (required ? '' : '?');
}

type Row = readonly [name: string, text: string];

/** With fewer columns than this beside the names, the texts are below them. */
const LEAST_ROOM = 24;

function table(rows: readonly Row[], width: number): string {
  const column = Math.max(...rows.map(([name]) => visible(name).length));
  const isNarrow = width - column - 4 < LEAST_ROOM;
  return rows
    .map(([name, text]) => {
      if (isNarrow) return `  ${visible(name)}\n${wrap(text, '    ', width)}\n`;
      const indent = ' '.repeat(column + 4);
      return `  ${visible(name).padEnd(column)}  ${wrap(text, indent, width).trimStart()}\n`;
    })
    .join('');
}

/** Breaks `text` at spaces, every line starts with `indent`. A word that is longer than a line stays whole. */
function wrap(text: string, indent: string, width: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of visible(text).split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, indent + line].join('\n');
}
