/**
 * Hover: what the schemas say about the member or value at a position, as `paylint explain` does, in plain text.
 */
import { getLocation } from 'jsonc-parser';
import type { Hover, Position } from 'vscode-languageserver';
import { UsageError } from '../errors.ts';
import { escapeToken } from '../json/pointer.ts';
import type { MemberExplanation, Paylint } from '../library/api.ts';
import { jsonText, visible } from '../words/escape.ts';
import type { Judged } from './judgement.ts';
import { payloadAt, positionIn } from './place.ts';

/** Null: the schemas say nothing about it. */
export function hoverAt(document: Judged, position: Position, paylint: Paylint): Hover | null {
  const at = payloadAt(document, position);
  if (at === null) return null;
  const { kind } = at.placed.found;
  const { text } = at.placed;
  const { path, previousNode } = getLocation(text, at.offset);
  const known = kind ?? paylint.complete(text, at.offset).kind;
  if (known === null) return null;
  const subject = [known, ...path].map((step) => escapeToken(String(step))).join('/');
  const member = memberOf(subject, paylint);
  if (member === null) return null;
  const contents = { kind: 'plaintext' as const, value: hoverText(member) };
  if (previousNode === undefined) return { contents };
  const { offset, length } = previousNode;
  const start = positionIn(at.placed, offset, document.text);
  const end = positionIn(at.placed, offset + length, document.text);
  return { contents, range: { start, end } };
}

function memberOf(subject: string, paylint: Paylint): MemberExplanation | null {
  try {
    const data = paylint.explain(subject);
    return 'members' in data && 'kind' in (data.members[0] ?? {})
      ? (data.members[0] as MemberExplanation) // an explanation of a rule has names of members instead
      : null;
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/** Keywords that are said in other words, or to programs. */
const NOT_LISTED = new Set(
  '$schema $id title description properties items required examples default'.split(' '),
);

function hoverText({
  kind,
  path,
  required,
  schema,
  numbers = {},
  note,
  statedIn,
}: MemberExplanation): string {
  const { title, description, examples } = schema;
  const name = path === '' ? kind : `${kind}/${path}`;
  const rows = Object.entries(schema)
    .filter(([keyword]) => !NOT_LISTED.has(keyword))
    .map(([keyword, value]) => `${keyword}: ${numbers[keyword] ?? valueText(value)}`);
  if (path !== '') rows.push(`required: ${required ? 'yes' : 'no'}`);
  if (schema.default !== undefined) rows.push(`default: ${jsonText(schema.default)}`);
  if (Array.isArray(examples)) rows.push(`examples: ${examples.map((one) => jsonText(one)).join(', ')}`);
  if (note !== null) rows.push(`note: ${note}`);
  rows.push(`stated in: ${statedIn}`);
  const heading = typeof title === 'string' ? `${name} — ${title}` : name;
  const parts = [heading, ...(typeof description === 'string' ? [description] : []), rows.join('\n')];
  return parts.map((part) => part.split('\n').map(visible).join('\n')).join('\n\n');
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value);
}
