/** Answers about a document: what the editor shows of a place and offers there, and the payloads, with kind and `@id`. */
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
import { UsageError, unlessFailed } from '../errors.ts';
import { escapeToken } from '../json/pointer.ts';
import type { MemberExplanation, Paylint, CompletionItem as Proposed } from '../library/api.ts';
import { memberRows } from '../library/explanation.ts';
import { visible } from '../words/escape.ts';
import { plural } from '../words/number-text.ts';
import type { OpenDocument } from './documents.ts';

/** Null: the schemas say nothing about it. */
export function hoverAt(document: OpenDocument, position: Position, paylint: Paylint): Hover | null {
  const at = document.payloadAt(position);
  if (at === null) return null;
  const { kind, text } = at.payload;
  const { path, previousNode } = getLocation(text, at.offset);
  const known = kind ?? paylint.complete(text, at.offset).kind;
  if (known === null) return null;
  const subject = [known, ...path].map((step) => escapeToken(String(step))).join('/');
  const members = membersOf(subject, paylint);
  if (members.length === 0) return null;
  const contents = { kind: 'plaintext' as const, value: members.slice(0, MOST_HOVERED).map(hoverText).join('\n\n') };
  if (previousNode === undefined) return { contents };
  return { contents, range: document.rangeIn(at.payload, previousNode.offset, previousNode.length) };
}

/** Alternatives that a hover shows. */
const MOST_HOVERED = 5;

function membersOf(subject: string, paylint: Paylint): readonly MemberExplanation[] {
  try {
    const data = paylint.explain(subject);
    return 'members' in data ? data.members : [];
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

function hoverText(member: MemberExplanation): string {
  const { kind, path, schema } = member;
  const { title, description } = schema;
  const name = path === '' ? kind : `${kind}/${path}`;
  const heading = typeof title === 'string' ? `${name} — ${title}` : name;
  const rows = memberRows(member).map((row) => row.join(': '));
  const parts = [heading, ...(typeof description === 'string' ? [description] : []), rows.join('\n')];
  return parts.map((part) => part.split('\n').map(visible).join('\n')).join('\n\n');
}

const KINDS = {
  name: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  payload: CompletionItemKind.Snippet,
} as const;

export function completionsAt(
  document: OpenDocument,
  position: Position,
  paylint: Paylint,
  snippets: boolean,
): CompletionItem[] {
  const around = textAround(document, position);
  const { offset, length, items } = paylint.complete(around.text, around.offset);
  const from = around.start + offset;
  const range = { start: document.text.positionAt(from), end: document.text.positionAt(from + length) };
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
}

/** The line, the payload of several in a text, or the whole text; and where it begins. */
function textAround(document: OpenDocument, position: Position): { text: string; offset: number; start: number } {
  const { text: whole, payloads, isByLine } = document;
  const offset = whole.offsetAt(position);
  if (isByLine) {
    const all = whole.getText();
    const start = offset === 0 ? 0 : all.lastIndexOf('\n', offset - 1) + 1;
    const text = all.slice(start).split('\n', 1)[0]!;
    return { text, offset: offset - start, start };
  }
  const found = payloads.length > 1 ? document.payloadAt(position) : null;
  if (found === null) return { text: whole.getText(), offset, start: 0 };
  return { text: found.payload.text, offset: found.offset, start: found.payload.start };
}

function textOf({ type, text, value }: Proposed, hasColon: boolean, snippets: boolean): string {
  const escaped = (json: string): string => (snippets ? json.replace(/[\\$}]/g, '\\$&') : json);
  if (type !== 'name' || hasColon) return escaped(text);
  if (value === null) return `${escaped(text)}: `;
  return snippets ? `${escaped(text)}: \${1:${escaped(value)}}` : `${text}: ${value}`;
}

/** Names show no more code units of payload text. */
const NAME_UNITS = 80;

export function symbolsOf(document: OpenDocument): DocumentSymbol[] {
  return document.payloads.map((payload) => {
    const { kind, text, violations } = payload;
    const range = document.rangeIn(payload, 0, text.length);
    const id = idOf(text);
    const name = visible([kind ?? 'unknown', ...(id === null ? [] : [id.slice(0, NAME_UNITS)])].join(' '));
    const detail = violations.length === 0 ? 'valid' : plural(violations.length, 'violation');
    return { name, detail, kind: SymbolKind.Object, range, selectionRange: range };
  });
}

/** The `@id` of a payload; null if it has none, or is malformed. */
function idOf(text: string): string | null {
  if (!text.includes('"@id"')) return null;
  const value = unlessFailed(() => JSON.parse(text) as { readonly '@id'?: unknown } | null);
  return typeof value?.['@id'] === 'string' ? value['@id'] : null;
}
