// @ts-nocheck
// What the library uses of Node's modules, for the build for browsers: there are no files, threads and streams of bytes, so
// what needs them says that it is not there. `Buffer` is that of the package `buffer`.
import { Buffer } from 'buffer/';

export { Buffer };

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
