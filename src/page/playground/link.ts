/**
 * The state of the page in the fragment of its address: JSON, compressed, as base64url. A link may come from anyone: what is not
 * such a state, or too large, is refused.
 */
import { EDITED_BYTES } from '../../limits.ts';

export interface Shared {
  readonly payloads: string;
  /** Empty: the built-in ones. */
  readonly schema: string;
}

/** Says which form the rest has. */
const FORM = '#1.';
/** Bytes of the state: both texts, with escapes. */
const MOST = 4 * EDITED_BYTES;

export async function linkTo(shared: Shared): Promise<string> {
  const stream = new Blob([JSON.stringify(shared)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return FORM + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Whether the fragment of an address is meant to be a link; it may be a place of the page. */
export function isLink(fragment: string): boolean {
  return fragment.startsWith(FORM);
}

/** Null: the fragment has none, or is no such link. */
export async function sharedIn(fragment: string): Promise<Shared | null> {
  if (!isLink(fragment) || fragment.length > MOST) return null;
  try {
    const binary = atob(fragment.slice(FORM.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return sharedOf(JSON.parse(await textOf(stream)));
  } catch {
    return null;
  }
}

/** Throws an Error if there is more than a state may have, before all of it is in memory. */
async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > MOST) {
      await reader.cancel();
      throw new Error('too large');
    }
    text += decoder.decode(value, { stream: true });
  }
}

function sharedOf(value: unknown): Shared | null {
  const { payloads, schema } = Object(value) as Partial<Record<keyof Shared, unknown>>; // any JSON
  if (typeof payloads !== 'string' || typeof schema !== 'string') return null;
  return payloads.length + schema.length > EDITED_BYTES ? null : { payloads, schema };
}
