/**
 * What a rule means and where the schemas state it, and what they contain for a kind or a member: as data. The JSON
 * Schema of a kind is given as its author wrote it, if that is one schema of the draft that is asked for.
 */
import { UsageError } from '../errors.ts';
import { parsePointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import { alternativeText } from '../keywords/alternatives.ts';
import { type KnownRule, RULES } from '../keywords/rules.ts';
import { allMembers, childrenOf, type Member, membersAlong, membersAt } from '../schema/described-members.ts';
import type { RawObject } from '../schema/document.ts';
import { decidingValues, factsOf, linksOf } from '../schema/facts.ts';
import { asWritten, type LoadedSchemas } from '../schema/load.ts';
import { isNode, keywordValue } from '../schema/node.ts';
import type { Kind } from '../schema/set.ts';
import { jsonText, visible } from '../words/escape.ts';
import { guessed } from '../words/near.ts';
import type { Explanation, MemberExplanation, RuleExplanation } from './api.ts';

interface Hit {
  readonly kind: Kind;
  readonly member: Member;
}

/** `subject`: undefined for the list of rules. Throws UsageError if it names no rule, kind or member. */
export function explanationOf(subject: string | undefined, set: LoadedSchemas): Explanation {
  if (subject === undefined) return { rules: [...RULES].map(([name, rule]) => ruleData(name, rule)) };
  const rule = RULES.get(subject);
  if (rule !== undefined) {
    const kinds = set.kinds.map((kind) => {
      const stated = allMembers(kind).filter(({ schema }) => Object.hasOwn(schema, subject));
      return { kind: kind.name, members: [...new Set(stated.map(({ path }) => path))] };
    });
    return { ...ruleData(subject, rule), kinds };
  }
  const hits = lookUp(subject, set);
  if (hits.length === 0) throw new UsageError(nothingFound(subject, set));
  return { members: hits.map((hit) => memberData(hit, set)) };
}

export function allMembersOf(set: LoadedSchemas): { members: readonly MemberExplanation[] } {
  const hits = set.kinds.flatMap((kind) => allMembers(kind).map((member) => ({ kind, member })));
  return { members: hits.map((hit) => memberData(hit, set)) };
}

function ruleData(rule: string, { group, text }: KnownRule): RuleExplanation {
  const { meaning, fix, schema, wrong, right } = text;
  const example = { ...(schema === undefined ? {} : { schema }), wrong, right };
  return { rule, group, meaning, fix, example };
}

function memberData({ kind, member }: Hit, set: LoadedSchemas): MemberExplanation {
  const written = writtenOf(member, set);
  const schema = Object.fromEntries(Object.entries(written).filter(([name]) => name !== '$comment'));
  const numbers = numbersOf(member, Object.keys(schema));
  return {
    kind: kind.name,
    path: member.path,
    required: member.required,
    ...(member.within.length === 0 ? {} : { alternatives: member.within }),
    schema,
    ...(Object.keys(numbers).length === 0 ? {} : { numbers }),
    members: innerNames(member),
    note: noteOf(written),
    statedIn: member.schema.origin.place || kind.document.name,
  };
}

/** Each once; what only some alternatives require is not required. */
function innerNames(member: Member): MemberExplanation['members'] {
  const inner = childrenOf(member);
  const always = inner.filter(({ within, required }) => required && within.length === member.within.length);
  const required = new Set(always.map(({ tokens }) => tokens.at(-1)!));
  const choices = member.stated.flatMap(({ oneOf = [], anyOf = [] }) => [oneOf, anyOf]);
  const isRequired = (name: string): boolean =>
    required.has(name) || choices.some((all) => all.length > 0 && all.every((one) => factsOf(one).required.has(name)));
  return [...new Set(inner.map(({ tokens }) => tokens.at(-1)!))].map((name) => ({ name, required: isRequired(name) }));
}

/** The content of the files for a member, with the keywords that are only for people. Its references have been followed. */
function writtenOf({ stated }: Member, set: LoadedSchemas): RawObject {
  const schemas = stated.map((node) => asWritten(node, set)).filter(isJsonObject);
  // keywords beside a reference take precedence
  const { $ref, $dynamicRef, $recursiveRef, ...others }: RawObject = Object.assign({}, ...schemas.reverse());
  return others;
}

/** The schema's comment, without the number of the decision, which bundled schemas contain for contributors. */
function noteOf({ $comment }: RawObject): string | null {
  if (typeof $comment !== 'string') return null;
  return $comment.replace(/^Decision \d+: (.)/, (_, first: string) => first.toUpperCase());
}

/** Numbers as the files write them, if a double may have lost digits: by keyword, or by keyword and index in its list. */
function numbersOf({ stated }: Member, keywords: readonly string[]): Record<string, string> {
  const entries = keywords.flatMap((keyword) => {
    const node = stated.find((one) => keywordValue(one, keyword) !== undefined);
    return Object.entries(node?.origin.numbers ?? {}).filter(([key]) => key.split('/', 1)[0] === keyword);
  });
  return Object.fromEntries(entries);
}

/**
 * `contract/coverage/maxAge` in one kind; `/coverage/maxAge` or `coverage/maxAge` in every kind that has it, perhaps after the
 * index of a payload; `maxAge` at any place; `Comment`, a value by which a kind is detected. Indexes of elements may be left out.
 */
function lookUp(subject: string, set: LoadedSchemas): Hit[] {
  if (subject.startsWith('/')) return atPointer(subject, set);
  const [first, ...rest] = parsePointer(`/${subject}`);
  const tokens = rest.filter((token) => token !== '');
  const kinds = set.kinds.filter(({ name }) => name === first);
  if (kinds.length > 0) return atTokens(tokens, set, kinds);
  if (tokens.length > 0) return atPointer(`/${subject}`, set);
  const known = set.kinds.filter((kind) => decidingValues(kind).includes(subject));
  return known.length > 0 ? atTokens([], set, known) : anywhere(subject, set);
}

/** The members at a pointer; the index of a payload in an array may be before it. */
function atPointer(pointer: string, set: LoadedSchemas): Hit[] {
  const tokens = parsePointer(pointer).filter((token) => token !== '');
  const hits = atTokens(tokens, set);
  return hits.length === 0 && /^\d+$/.test(tokens[0] ?? '') ? atTokens(tokens.slice(1), set) : hits;
}

function atTokens(tokens: readonly string[], set: LoadedSchemas, kinds: readonly Kind[] = set.kinds): Hit[] {
  return kinds.flatMap((kind) => {
    const exact = membersAt(kind, tokens);
    const members = exact.length > 0 ? exact : membersAlong(kind, tokens);
    return members.map((member) => ({ kind, member }));
  });
}

function anywhere(name: string, set: LoadedSchemas): Hit[] {
  return set.kinds.flatMap((kind) =>
    allMembers(kind)
      .filter(({ tokens }) => tokens.at(-1) === name)
      .map((member) => ({ kind, member })),
  );
}

function nothingFound(subject: string, set: LoadedSchemas): string {
  const known = set.kinds.flatMap((kind) => [
    kind.name,
    ...decidingValues(kind).filter((value) => typeof value === 'string'),
    ...allMembers(kind)
      .filter(({ path }) => path !== '')
      .flatMap(({ path, tokens }) => [`${kind.name}/${path}`, `/${path}`, path.replaceAll('/*', ''), tokens.at(-1)!]),
  ]);
  const otherwise = '; a member is written kind/name/name, as in paylint explain contract/name';
  const hint = guessed(subject, [...RULES.keys(), ...known], otherwise);
  return `"${visible(subject)}" is neither a rule nor a kind nor a member${hint}`;
}

/** Throws UsageError if it cannot be given. `kind`: null: the only one. `target`: undefined: the draft of the schema. */
export function jsonSchemaOf(
  { kinds, places }: LoadedSchemas,
  kind: string | null,
  target: unknown,
): Record<string, unknown> {
  const [one, ...others] = kinds.filter(({ name }) => kind === null || name === kind);
  if (one === undefined || others.length > 0)
    throw new UsageError('jsonSchema: there are several kinds; give one to "standard"');
  const { schema, document } = one;
  if (!isNode(schema)) return schema ? {} : { not: {} };
  const nodes = new Set([schema]);
  for (const node of nodes) for (const inner of linksOf(node)) nodes.add(inner);
  const isAlone = [...nodes].every(({ origin }) => origin.place.startsWith(`${document.name}#`));
  if (!isAlone || schema.origin.place !== `${document.name}#`)
    throw new UsageError('jsonSchema: the schema needs what is in another one, or around it');
  const draft = places.get(document.schema as object)!.resource.draft.name; // it is the place of a node
  const own = draft.length === 1 ? `draft-0${draft}` : `draft-${draft}`;
  if (target !== undefined && target !== own)
    throw new UsageError(`jsonSchema: the schema is for "${own}", and not for "${visible(String(target))}"`);
  return structuredClone(document.schema) as Record<string, unknown>; // the schema of a node is an object
}

/** Keywords that have a row of their own, or are not shown. */
const NOT_LISTED = new Set(
  '$schema $id title description $comment properties items required examples default'.split(' '),
);

/** What the schemas say about a member besides its title and description: names, each with a text. */
export function memberRows(member: MemberExplanation): (readonly [name: string, text: string])[] {
  const { path, required, alternatives = [], schema, members, note, statedIn } = member;
  const { default: value, examples } = schema;
  const keywords = Object.keys(schema).filter((keyword) => !NOT_LISTED.has(keyword));
  return [
    ...keywords.map((keyword) => [keyword, keywordText(member, keyword)] as const),
    ...(path === '' ? [] : [['required', required ? 'yes' : 'no'] as const]),
    ...alternatives.map((one) => ['only in', alternativeText(one)] as const),
    ...(value === undefined ? [] : [['default', jsonText(value)] as const]),
    ...(Array.isArray(examples) ? [['examples', examples.map((one) => jsonText(one)).join(', ')] as const] : []),
    ...(members.length === 0
      ? []
      : [['members', members.map((one) => one.name + (one.required ? '' : '?')).join(', ')] as const]),
    ...(note === null ? [] : [['note', note] as const]),
    ['stated in', statedIn],
  ];
}

/** With numbers as they are written. */
export function keywordText({ schema, numbers = {} }: MemberExplanation, keyword: string): string {
  const text = (value: unknown, place: string): string =>
    typeof value === 'string' ? value : (numbers[place] ?? jsonText(value));
  const value = schema[keyword];
  if (!Array.isArray(value)) return text(value, keyword);
  return value.map((item, i) => text(item, `${keyword}/${i}`)).join(', ');
}
