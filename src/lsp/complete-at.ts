/**
 * Completion: the names and values that the schemas allow at a position, and the smallest payload of each kind where
 * one may begin.
 */
import {
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
  type Position,
} from 'vscode-languageserver';
import type { Paylint, CompletionItem as Proposed } from '../library/api.ts';
import type { Judged } from './judgement.ts';
import { payloadAt } from './place.ts';

const KINDS = {
  name: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  payload: CompletionItemKind.Snippet,
} as const;

export interface Completing {
  readonly document: Judged;
  readonly paylint: Paylint;
  /** Each line is a payload. */
  readonly isByLine: boolean;
  /** The client knows snippets. */
  readonly snippets: boolean;
}

export function completionsAt(
  position: Position,
  { document, paylint, isByLine, snippets }: Completing,
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
