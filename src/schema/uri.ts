/**
 * URI references of schemas (RFC 3986): resolved against a base, compared by their normal form, and turned into paths.
 * The base may have any scheme, also one without `//`, such as `urn:`, for which the URL of JavaScript resolves nothing.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { unlessFailed } from '../errors.ts';

/** A URI in its normal form, in two parts. */
export interface Uri {
  /** Absolute, without fragment. */
  readonly base: string;
  /** Percent-decoded; "": none. */
  readonly fragment: string;
}

/** Scheme, authority, path, query and fragment (appendix B). Every text matches. */
const PARTS = /^(?:([a-z][a-z\d+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is;

/** An authority whose host is an address in brackets (section 3.2.2). */
const IP_LITERAL = /^(?:[^@]*@)?\[[^[\]]+\](?::\d*)?$/;

/**
 * What `reference` means where the base URI is `base`, which is absolute (section 5.2). Null: it is no URI reference,
 * because its percent-encoding or its host is invalid (sections 2.1 and 3.2.2).
 */
export function resolveUri(reference: string, base: string): Uri | null {
  const [, scheme, authority, path = '', query, hash = ''] = PARTS.exec(reference)!; // see PARTS
  const [, baseScheme, baseAuthority, basePath = '', baseQuery] = PARTS.exec(base)!; // see PARTS
  if (/[[\]]/.test(authority ?? '') && !IP_LITERAL.test(authority!)) return null;
  const isWhole = scheme !== undefined || authority !== undefined;
  const isSame = !isWhole && path === '';
  const host = isWhole ? authority : baseAuthority;
  const merged = isWhole || path.startsWith('/') ? path : `${folderOf(basePath, host)}${path}`;
  const asked = query ?? (isSame ? baseQuery : undefined);
  const whole = isSame ? basePath : withoutDots(merged);
  try {
    const normal = normalUri((scheme ?? baseScheme ?? '').toLowerCase(), host, whole, asked);
    return { base: normal, fragment: decodeURIComponent(hash) };
  } catch (cause) {
    if (cause instanceof URIError) return null;
    throw cause;
  }
}

/** The path up to its last slash, to which a relative one is added (section 5.2.3). */
function folderOf(path: string, authority: string | undefined): string {
  return path === '' && authority !== undefined ? '/' : path.slice(0, path.lastIndexOf('/') + 1);
}

/** Resolves `.` and `..` in a path (section 5.2.4). */
function withoutDots(path: string): string {
  if (!/(?:^|\/)\.\.?(?:\/|$)/.test(path)) return path;
  let isRooted = path.startsWith('/');
  const output: string[] = [];
  const segments = (isRooted ? path.slice(1) : path).split('/');
  for (const [i, segment] of segments.entries()) {
    // Without the first segment of a relative path, what follows begins with its slash.
    if (segment === '..' && output.length === 1) isRooted = true;
    if (segment === '..') output.pop();
    if (segment !== '.' && segment !== '..') output.push(segment);
    else if (i === segments.length - 1) output.push('');
  }
  return `${isRooted ? '/' : ''}${output.join('/')}`;
}

/** Ports that say nothing (section 6.2.3). */
const DEFAULT_PORTS: Readonly<Record<string, RegExp>> = { http: /:(?:80)?$/, https: /:(?:443)?$/ };

/** The text that two URIs share if they are equivalent (section 6.2). Throws URIError for invalid percent-encoding. */
function normalUri(scheme: string, authority: string | undefined, path: string, query: string | undefined): string {
  const port = Object.hasOwn(DEFAULT_PORTS, scheme) ? DEFAULT_PORTS[scheme]! : null;
  const host =
    authority === undefined
      ? undefined
      : encoded(authority)
          .toLowerCase()
          .replace(port ?? /:$/, '');
  const isLocal = scheme === 'file' && (host === 'localhost' || (host === undefined && path.startsWith('/')));
  const start = isLocal ? '//' : host === undefined ? '' : `//${host}`;
  const end = query === undefined ? '' : `?${encoded(query)}`;
  return `${scheme}:${start}${port !== null && path === '' ? '/' : encoded(path)}${end}`;
}

/** Characters that a URI contains as they are. */
const PLAIN = /^[\w.~!$&'()*+,;=:@/?-]*$/;

/** Percent-encoding in its normal form (sections 2.1 and 6.2.2). Throws URIError if it is invalid. */
function encoded(text: string): string {
  if (PLAIN.test(text)) return text;
  if (/%(?![\da-f]{2})/i.test(text)) throw new URIError(`invalid percent-encoding in ${JSON.stringify(text)}`);
  return text
    .toWellFormed()
    .replace(/[^\w.~!$&'()*+,;=:@/?%-]+/gu, encodeURIComponent)
    .replace(/%[\da-f]{2}/gi, (code) => {
      const char = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[\w.~!$&'()*+,;=:@-]/.test(char) ? char : code.toUpperCase();
    });
}

/** The URI of a file. `path`: absolute. */
export function fileUri(path: string): string {
  return resolveUri(pathToFileURL(path).href, '')!.base; // it is valid
}

/** The path of a `file:` URI; null for one that names a host, or is no path on this system. */
export function localPath(uri: string): string | null {
  // On Windows, a host would be another machine.
  return uri.startsWith('file:///') ? unlessFailed(() => fileURLToPath(uri)) : null;
}

/**
 * The file for `uri` that lies to the file at `path` as `uri` lies to `root`, the URI of that file's schema. All are
 * absolute. Null: the URIs have not the same scheme and authority, or there can be no such file.
 */
export function fileBeside(uri: string, root: string, path: string): string | null {
  const [, scheme, authority, way] = PARTS.exec(uri)!; // see PARTS
  const [, rootScheme, rootAuthority, rootWay] = PARTS.exec(root)!; // see PARTS
  if (scheme !== rootScheme || authority !== rootAuthority) return null;
  const to = way!.split('/');
  const from = rootWay!.split('/').slice(0, -1);
  const shared = from.findIndex((segment, i) => segment !== to[i] || i === to.length - 1);
  const common = shared < 0 ? from.length : shared;
  try {
    const down = to.slice(common).map(decodeURIComponent);
    if (down.at(-1) === '' || down.some((segment) => /[/\\\0]/.test(segment))) return null;
    return join(dirname(path), ...from.slice(common).map(() => '..'), ...down);
  } catch {
    return null; // no UTF-8
  }
}
