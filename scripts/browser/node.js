// @ts-nocheck
// What the library uses of Node's modules, for the build for browsers: there are no files, threads and streams of bytes, so
// what needs them says that it is not there. `Buffer` is that of the package `buffer`.
import { Buffer } from 'buffer/';

export { Buffer };

/** What relative paths are relative to. */
export const process = { cwd: () => '/' };

// The package makes and reads texts unit by unit: for all but short ones, what browsers have is ten times as fast.
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const SHORT = 32;
/** Arguments of one call. */
const MOST_UNITS = 4096;
const { from } = Buffer;
const { toString: slowly } = Buffer.prototype;
const isUtf8Name = (encoding) => encoding === undefined || encoding === 'utf8';

Buffer.from = (value, encoding, length) => {
  if (encoding === 'base64') return from(Uint8Array.from(atob(value), (unit) => unit.charCodeAt(0)).buffer);
  if (typeof value !== 'string' || value.length < SHORT || !isUtf8Name(encoding)) return from(value, encoding, length);
  const bytes = ENCODER.encode(value);
  return from(bytes.buffer, bytes.byteOffset, bytes.length);
};
Buffer.prototype.toString = function text(encoding, start = 0, end = this.length) {
  const isLatin1 = encoding === 'latin1';
  if (end - start < SHORT || !(isLatin1 || isUtf8Name(encoding))) return slowly.call(this, encoding, start, end);
  const bytes = this.subarray(Math.max(0, start), Math.max(0, end));
  return isLatin1 ? latin1(bytes) : DECODER.decode(bytes);
};

/** @param {Uint8Array} bytes */
function latin1(bytes) {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += MOST_UNITS)
    pieces.push(String.fromCharCode.apply(null, bytes.subarray(at, at + MOST_UNITS)));
  return pieces.join('');
}

/** @param {string} what */
const missing = (what) => () => {
  throw Object.assign(new Error(`there is no ${what} in a browser`), { code: 'ENOENT' });
};

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @param {Uint8Array} bytes */
export function isUtf8(bytes) {
  try {
    UTF8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** @param {Uint8Array} bytes */
export function isAscii(bytes) {
  for (let at = 0; at < bytes.length; at++) if (bytes[at] >= 0x80) return false;
  return true;
}

/** Of JSON values. */
export function isDeepStrictEqual(a, b) {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const names = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isDeepStrictEqual(a[name], b[name]))
  );
}

/** @param {string | URL} url */
export const fileURLToPath = (url) => decodeURIComponent(new URL(url).pathname);
/** @param {string} path */
export const pathToFileURL = (path) => new URL(`file://${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`);

export const existsSync = () => false;
export const [readFileSync, statSync, lstatSync, readdirSync, realpathSync] = Array(5).fill(missing('file system'));
export const [openSync, readSync, closeSync, fstatSync, accessSync] = Array(5).fill(missing('file system'));
export const constants = {};
export const createRequire = () => missing('module of Node');
export const createHash = missing('module crypto of Node');
export const types = { isUint8Array: (value) => Object.prototype.toString.call(value) === '[object Uint8Array]' };
export function Readable() {}
Readable.from = () => new Readable();
export default {};
