/**
 * Symbols: the payloads of a document, with kind and `@id`.
 */
import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver';
import { visible } from '../words/escape.ts';
import { type Judged, payloadsIn } from './judgement.ts';
import { positionIn } from './place.ts';

/** Names show no more code units of payload text. */
const SHOWN = 80;

export function symbolsOf(document: Judged): DocumentSymbol[] {
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
