/**
 * URI references of schemas (RFC 3986): resolved, and turned into paths.
 */
import { fileURLToPath } from 'node:url';

export interface ParsedUrl {
  readonly canParse: boolean;
  /** Absolute, without fragment. */
  readonly base: string;
  /** Decoded, or null if its percent-encoding is invalid (RFC 3986, section 2.1). */
  readonly fragment: string | null;
}

/** `base`: absolute. */
export function parseUrl(reference: string, base: string): ParsedUrl {
  // The empty reference is the base (section 4.4), but URL refuses it if the base is no path, such as a URN.
  const text = reference === '' ? '#' : reference;
  if (!URL.canParse(text, base)) return { canParse: false, base: '', fragment: null };
  const { href } = new URL(text, base);
  const hash = href.indexOf('#');
  if (hash < 0) return { canParse: true, base: href, fragment: '' };
  try {
    return { canParse: true, base: href.slice(0, hash), fragment: decodeURIComponent(href.slice(hash + 1)) };
  } catch {
    return { canParse: true, base: href.slice(0, hash), fragment: null };
  }
}

/** The path of a `file:` URI; null for one that names a host, or is no path on this system. */
export function localPath(uri: string): string | null {
  // On Windows, a host would be another machine.
  if (new URL(uri).host !== '') return null;
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}
