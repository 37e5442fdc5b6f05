/**
 * `paylint explain [RULE|KIND|MEMBER]`: what a rule means and where the schemas state it, what a kind is, or what the schemas say about a
 * member. Without a subject it lists the rules.
 */

import { UsageError } from '../errors.ts';
import type { Io } from '../input/io.ts';
import { parsePointer } from '../json/pointer.ts';
import { RULES } from '../keywords/rules.ts';
import { Output } from '../output/output.ts';
import type { Kind, SchemaSet } from '../schema/load.ts';
import { allMembers, memberAt, valuesOf } from '../schema/members.ts';
import { jsonText, visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import { loadConfig } from './config.ts';
import {
  type Hit,
  memberData,
  memberPage,
  memberTable,
  ruleData,
  rulePage,
  ruleTable,
} from './explain-text.ts';
import type { KindsFlags } from './kinds.ts';
import { loadSchemasFor } from './options.ts';
import { warnOfSuspects } from './suspects.ts';
import { widthOf } from './width.ts';

/** More members than this are a table with a line for each. */
const PAGES = 3;

/** An explanation, as text for a width and as a JSON value. */
interface Explanation {
  readonly text: (width: number) => string;
  readonly data: () => unknown;
}

/** `subject`: undefined for the list of rules. Throws UsageError if the subject is neither a rule nor a kind nor a member. */
export async function explain(subject: string | undefined, flags: KindsFlags, io: Io): Promise<number> {
  const config = await loadConfig(flags.config, io);
  const set = await loadSchemasFor(flags, config, io);
  await warnOfSuspects(set, { strict: false }, io);
  const { text, data } = explanationOf(subject, set);
  const output = new Output(io.stdout, 'standard output');
  output.write(flags.format === 'json' ? `${jsonText(data())}\n` : text(widthOf(io.stdout, io.env)));
  await output.close();
  return 0;
}

function explanationOf(subject: string | undefined, set: SchemaSet): Explanation {
  if (subject === undefined) {
    return {
      text: ruleTable,
      data: () => ({ rules: [...RULES].map(([name, { text }]) => ruleData(name, text)) }),
    };
  }
  const rule = RULES.get(subject)?.text;
  if (rule !== undefined) {
    const places = set.kinds.map((kind) => ({ kind: kind.name, members: membersWith(subject, kind) }));
    return {
      text: (width) => rulePage(subject, rule, places, width),
      data: () => ({ ...ruleData(subject, rule), kinds: places }),
    };
  }
  const hits = lookUp(subject, set);
  if (hits.length === 0) throw new UsageError(nothingFound(subject, set));
  return {
    text: (width) =>
      hits.length > PAGES
        ? memberTable(hits, width)
        : hits.map((hit) => memberPage(hit, set, width)).join('\n'),
    data: () => ({ members: hits.map((hit) => memberData(hit, set)) }),
  };
}

/** Paths of the members at which the schemas state the rule. */
function membersWith(rule: string, kind: Kind): string[] {
  return allMembers(kind)
    .filter(({ schema }) => Object.hasOwn(schema, rule))
    .map(({ path }) => path);
}

/**
 * `contract/coverage/maxAge` in one kind; `/coverage/maxAge` or `coverage/maxAge` in every kind that has it, and `/0/coverage/maxAge` as a
 * report of an array has it; `maxAge` wherever it is; `Comment`, a value by which a kind is detected.
 */
function lookUp(subject: string, set: SchemaSet): Hit[] {
  if (subject.startsWith('/')) return atPointer(subject, set);
  const [first, ...rest] = parsePointer(`/${subject}`);
  const tokens = rest.filter((token) => token !== '');
  const kinds = set.kinds.filter(({ name }) => name === first);
  if (kinds.length > 0) return atTokens(tokens, set, kinds);
  if (tokens.length > 0) return atPointer(`/${subject}`, set);
  const known = set.kinds.filter((kind) => valuesOf(kind).includes(subject));
  return known.length > 0 ? atTokens([], set, known) : anywhere(subject, set);
}

/** The members at a pointer; the index of a payload in an array may be before it. */
function atPointer(pointer: string, set: SchemaSet): Hit[] {
  const tokens = parsePointer(pointer).filter((token) => token !== '');
  const hits = atTokens(tokens, set);
  return hits.length === 0 && /^\d+$/.test(tokens[0] ?? '') ? atTokens(tokens.slice(1), set) : hits;
}

function atTokens(tokens: readonly string[], set: SchemaSet, kinds: readonly Kind[] = set.kinds): Hit[] {
  return kinds.flatMap((kind) => {
    const member = memberAt(kind, tokens);
    return member === null ? [] : [{ kind, member }];
  });
}

/** Every member of that name, at any place. */
function anywhere(name: string, set: SchemaSet): Hit[] {
  return set.kinds.flatMap((kind) =>
    allMembers(kind)
      .filter(({ path }) => path.split('/').at(-1) === name && path !== '')
      .map((member) => ({ kind, member })),
  );
}

function nothingFound(subject: string, set: SchemaSet): string {
  const known = set.kinds.flatMap((kind) => [
    kind.name,
    ...valuesOf(kind).filter((value) => typeof value === 'string'),
    ...allMembers(kind)
      .filter(({ path }) => path !== '')
      .flatMap(({ path }) => [`${kind.name}/${path}`, `/${path}`, path.split('/').at(-1)!]),
  ]);
  const near = nearMiss(subject, [...RULES.keys(), ...known]);
  const hint =
    near === null
      ? 'a member is written kind/name/name, as in paylint explain contract/name'
      : `did you mean "${visible(near)}"?`;
  return `"${visible(subject)}" is neither a rule nor a kind nor a member; ${hint}`;
}
