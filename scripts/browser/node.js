// @ts-nocheck
// What the library uses of Node's modules, for the build for browsers: there are no files, threads and streams of bytes, so
// what needs them says that it is not there. `Buffer` is that of the package `buffer`.
import { Buffer } from 'buffer/';

export { Buffer };

/** What relative paths are relative to. */
export const process = { cwd: () => '/' };

// The package makes and reads UTF-8 unit by unit, in JavaScript: for all but short texts, browsers are ten times as fast.
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const SHORT = 32;
const { from } = Buffer;
const { toString: slowly } = Buffer.prototype;
const isUtf8Name = (encoding) => encoding === undefined || encoding === 'utf8';

Buffer.from = (value, encoding, length) => {
  if (typeof value !== 'string' || value.length < SHORT || !isUtf8Name(encoding))
    return from(value, encoding, length);
  const bytes = ENCODER.encode(value);
  return from(bytes.buffer, bytes.byteOffset, bytes.length);
};
Buffer.prototype.toString = function text(encoding, start = 0, end = this.length) {
  if (end - start < SHORT || !isUtf8Name(encoding)) return slowly.call(this, encoding, start, end);
  return DECODER.decode(this.subarray(Math.max(0, start), Math.max(0, end)));
};

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
  return bytes.every((byte) => byte < 0x80);
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
export const pathToFileURL = (path) =>
  new URL(`file://${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`);

export const existsSync = () => false;
export const [readFileSync, statSync, lstatSync, readdirSync, realpathSync] = Array(5).fill(
  missing('file system'),
);
export const [openSync, readSync, closeSync, fstatSync, accessSync] = Array(5).fill(missing('file system'));
export const constants = {};
export const createRequire = () => missing('module of Node');
export const createHash = missing('module crypto of Node');
export const types = {
  isUint8Array: (value) => Object.prototype.toString.call(value) === '[object Uint8Array]',
};
export function Readable() {}
Readable.from = () => new Readable();
export default {};
