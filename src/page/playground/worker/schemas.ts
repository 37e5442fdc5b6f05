/**
 * The instances of the playground: that of the built-in schemas, and that of the schema that was typed last.
 */
import { type BrowserPaylint, openPaylint } from '../../../library/browser.ts';
import type { RowData } from '../../../report/html-data.ts';
import { rowsOf } from './rows.ts';

/** An instance, or why there is none. */
export type Opened =
  | { readonly paylint: BrowserPaylint }
  | { readonly paylint: null; readonly message: string; readonly rows: readonly RowData[] };

export class Schemas {
  #text: string | null = null;
  #opened: Opened | null = null;

  /** Throws a SchemaError for a schema that cannot be used. */
  async open(text: string): Promise<Opened> {
    if (this.#opened === null || this.#text !== text) {
      this.#opened = null;
      this.#opened = text.trim() === '' ? { paylint: await openPaylint() } : await openText(text);
      this.#text = text;
    }
    return this.#opened;
  }
}

async function openText(text: string): Promise<Opened> {
  const { valid, violations } = (await openPaylint({ schema: true })).validate(text);
  if (!valid) return { paylint: null, message: 'The schema is not JSON.', rows: rowsOf(violations) };
  const schema: unknown = JSON.parse(text);
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null))
    return { paylint: null, message: 'A schema is an object, or true or false.', rows: [] };
  return { paylint: await openPaylint({ schema }) };
}
