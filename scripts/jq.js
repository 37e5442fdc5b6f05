#!/usr/bin/env node
// A substitute for jq if it is not installed: jq 1.8, compiled to WebAssembly (jq-wasm), with jq's command line. It
// reads all input before it begins, and refuses flags that need more than that.
import { readFileSync, writeSync } from 'node:fs';
import { raw } from 'jq-wasm';

/** Flags, by the number of arguments that belong to them. */
const VALUES = { '--arg': 2, '--argjson': 2, '--indent': 1 };
/** Flags whose values are not in the arguments, or that change how input arrives. */
const REFUSED = /^(?:-f|--from-file|-L.*|--library-path|--rawfile|--slurpfile|--args|--jsonargs|--stream.*|--seq)$/;

/**
 * The command line, taken apart.
 * @param {readonly string[]} words
 */
function readArguments(words) {
  const flags = [];
  const others = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (REFUSED.test(word)) fail(`the jq of npm, used instead, does not accept ${word}`, 2);
    if (!/^-./.test(word)) {
      others.push(word);
      continue;
    }
    const count = word in VALUES ? VALUES[/** @type {keyof typeof VALUES} */ (word)] : 0;
    flags.push(...words.slice(i, i + 1 + count));
    i += count;
  }
  const [filter, ...files] = others;
  return { flags, filter, files };
}

/**
 * @param {string} message
 * @param {number} code
 * @returns {never}
 */
function fail(message, code) {
  process.stderr.write(`jq: ${message}\n`);
  process.exit(code);
}

/**
 * Writes the whole text, however slow the reader. If the reader closes the pipe, it ends without an error.
 * @param {number} descriptor
 * @param {string} text
 */
function write(descriptor, text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error); // Node throws these if a call fails
      if (code === 'EPIPE') process.exit(141);
      if (code !== 'EAGAIN') throw error;
    }
  }
}

const { flags, filter, files } = readArguments(process.argv.slice(2));
const asksForNone = flags.some((flag) => /^(?:--null-input|--version|--help|-[a-zA-Z]*[nVh][a-zA-Z]*)$/.test(flag));
if (filter === undefined && !asksForNone) fail('a filter is missing', 2);
const sources = files.length > 0 ? files : asksForNone ? [] : [0];
const input = sources.map((source) => readFileSync(source, 'utf8')).join('');
const { stdout, stderr, exitCode } = await raw(input, filter ?? '.', flags);
// jq-wasm leaves out the last line feed.
const joins = flags.some((flag) => /^(?:--join-output|--raw-output0|-[a-zA-Z]*j[a-zA-Z]*)$/.test(flag));
if (stdout !== '') write(1, joins ? stdout : `${stdout}\n`);
if (stderr !== '') write(2, `${stderr}\n`);
process.exitCode = exitCode;
