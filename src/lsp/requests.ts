/**
 * Answers to requests about a document: what the editor shows of a place, what it offers there, and the payloads of the
 * document, with kind and `@id`.
 */
import { getLocation } from 'jsonc-parser';
import {
  type CompletionItem,
  CompletionItemKind,
  type DocumentSymbol,
  type Hover,
  InsertTextFormat,
  type Position,
  SymbolKind,
} from 'vscode-languageserver';
import { UsageError } from '../errors.ts';
import { escapeToken } from '../json/pointer.ts';
import type { MemberExplanation, Paylint, CompletionItem as Proposed } from '../library/api.ts';
import { jsonText, visible } from '../words/escape.ts';
import { type JudgedDocument, payloadAt, payloadsIn, positionIn } from './judgement.ts';

/** Null: the schemas say nothing about it. */
export function hoverAt(document: JudgedDocument, position: Position, paylint: Paylint): Hover | null {
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
const NOT_LISTED = new Set('$schema $id title description properties items required examples default'.split(' '));

function hoverText({ kind, path, required, schema, numbers = {}, note, statedIn }: MemberExplanation): string {
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

const KINDS = {
  name: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  payload: CompletionItemKind.Snippet,
} as const;

export interface CompletionRequest {
  readonly document: JudgedDocument;
  readonly paylint: Paylint;
  /** Each line is a payload. */
  readonly isByLine: boolean;
  /** The client knows snippets. */
  readonly snippets: boolean;
}

export function completionsAt(
  position: Position,
  { document, paylint, isByLine, snippets }: CompletionRequest,
): CompletionItem[] {
  const { text } = document;
  // A position below the last line is at the end of the text.
  const line = Math.min(position.line, text.lineCount - 1);
  const around = textAround();
  const { offset, length, items } = paylint.complete(around.text, around.offset);
  const at = (units: number): Position =>
    isByLine ? text.position(line, units) : text.positionAt(around.start + units);
  const range = { start: at(offset), end: at(offset + length) };
  const hasColon = /^\s*:/.test(around.text.slice(offset + length));
  return items.map((item, i) => {
    const newText = textOf(item, hasColon, snippets);
    return {
      label: item.label,
      kind: KINDS[item.type],
      ...(item.title === null ? {} : { detail: item.title }),
      ...(item.description === null ? {} : { documentation: item.description }),
      filterText: item.type === 'payload' ? item.label : item.text,
      sortText: String(i).padStart(4, '0'),
      insertTextFormat: snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
      textEdit: { range, newText },
    };
  });

  /** The line, the payload of several in a text, or the whole text; and where it begins. */
  function textAround(): { text: string; offset: number; start: number } {
    if (isByLine) return { text: text.line(line)!, offset: text.unitsIn(position), start: 0 };
    const found = payloadAt(document, position);
    if (found !== null && document.whole!.length > 1) {
      const { placed, offset } = found;
      return { text: placed.text, offset, start: placed.start };
    }
    return { text: text.text(), offset: text.offsetAt(position), start: 0 };
  }
}

function textOf({ type, text, value }: Proposed, hasColon: boolean, snippets: boolean): string {
  const escaped = (json: string): string => (snippets ? json.replace(/[\\$}]/g, '\\$&') : json);
  if (type !== 'name' || hasColon) return escaped(text);
  if (value === null) return `${escaped(text)}: `;
  return snippets ? `${escaped(text)}: \${1:${escaped(value)}}` : `${text}: ${value}`;
}

/** Names show no more code units of payload text. */
const SHOWN = 80;

export function symbolsOf(document: JudgedDocument): DocumentSymbol[] {
  const symbols: DocumentSymbol[] = [];
  for (const placed of payloadsIn(document)) {
    const { kind, count } = placed.found;
    const { text } = placed;
    const start = positionIn(placed, 0, document.text);
    const range = { start, end: positionIn(placed, text.length, document.text) };
    const id = idOf(text);
    const name = visible([kind ?? 'unknown', ...(id === null ? [] : [id.slice(0, SHOWN)])].join(' '));
    const detail = count === 0 ? 'valid' : `${count} ${count === 1 ? 'violation' : 'violations'}`;
    symbols.push({ name, detail, kind: SymbolKind.Object, range, selectionRange: range });
  }
  return symbols;
}

/** The `@id` of a payload; null if it has none, or is malformed. */
function idOf(text: string): string | null {
  if (!text.includes('"@id"')) return null;
  try {
    const value = JSON.parse(text) as { readonly '@id'?: unknown } | null;
    return typeof value?.['@id'] === 'string' ? value['@id'] : null;
  } catch {
    return null;
  }
}
