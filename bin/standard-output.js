// Standard output and standard error without Node's streams, where that is better. Node takes several milliseconds to make
// one, most of them to load its own modules, so a short text is written directly to the descriptor. And its stream for a file
// loses the rest of a write of which the file system takes only a part, as the last one before a disk is full, so a file
// never gets it.
'use strict';
const { fstatSync, statSync, writeSync } = require('node:fs');

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;
/**
 * Most bytes that are written directly: every pipe has room for that many. The stream does not block if a reader is
 * slow.
 */
const DIRECT_BYTES = 4096;
/**
 * Most bytes that a file is given at once: some systems take several times as long for larger writes, in which they use
 * larger pages.
 */
const FILE_BYTES = 5 << 18;

/** `process.stdout`, or an object that behaves like it and makes it on demand. */
function standardOutput() {
  return outputTo(STANDARD_OUTPUT, () => process.stdout);
}

/** `process.stderr` likewise. */
function standardError() {
  return outputTo(STANDARD_ERROR, () => process.stderr);
}

function outputTo(descriptor, streamOf) {
  if (process.platform === 'win32') return streamOf(); // a console takes text, not bytes
  try {
    const stats = fstatSync(descriptor);
    if (stats.isFile()) return new FileOutput(descriptor);
    if (stats.isFIFO() || stats.isSocket() || isNull(stats)) return new DirectOutput(descriptor, streamOf);
  } catch {
    // The stream reports the error.
  }
  return streamOf();
}

/** Other devices may be terminals, which only the stream knows. */
function isNull(stats) {
  return stats.isCharacterDevice() && stats.rdev === statSync('/dev/null').rdev;
}

/** A regular file. See `OutputStream` in src/types.ts. */
class FileOutput {
  isDirect = true;
  destroyed = false;

  constructor(fd) {
    this.fd = fd;
  }

  /** Calls `done` with the error of the system, if there is one. */
  write(chunk, done = () => {}) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    try {
      for (let at = 0; at < bytes.length; )
        at += writeSync(this.fd, bytes, at, Math.min(FILE_BYTES, bytes.length - at));
    } catch (error) {
      return done(error);
    }
    return done();
  }

  on() {
    return this;
  }

  off() {
    return this;
  }
}

/** A pipe, a socket or nothing. See `OutputStream` in src/types.ts. */
class DirectOutput {
  #left = DIRECT_BYTES;
  #stream = null;
  #streamOf;
  /** For the stream, until it is made. */
  #listeners = [];

  /** `streamOf` makes the stream. */
  constructor(fd, streamOf) {
    this.fd = fd;
    this.#streamOf = streamOf;
  }

  /** Whether all has been written: nothing waits in a stream. */
  get isDirect() {
    return this.#stream === null;
  }

  get destroyed() {
    return this.#stream?.destroyed ?? false;
  }

  write(chunk, done = () => {}) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    let written = 0;
    if (this.#stream === null && bytes.length <= this.#left) {
      try {
        written = writeSync(this.fd, bytes);
      } catch (error) {
        // The pipe is full and does not block: the stream waits for it.
        if (error.code !== 'EAGAIN') return done(error);
      }
      this.#left -= written;
      if (written === bytes.length) return done();
    }
    return this.#open().write(bytes.subarray(written), done);
  }

  on(event, listener) {
    if (this.#stream === null) this.#listeners.push([event, listener]);
    else this.#stream.on(event, listener);
    return this;
  }

  off(event, listener) {
    this.#listeners = this.#listeners.filter(([name, one]) => name !== event || one !== listener);
    this.#stream?.off(event, listener);
    return this;
  }

  #open() {
    if (this.#stream === null) {
      this.#stream = this.#streamOf();
      for (const [event, listener] of this.#listeners) this.#stream.on(event, listener);
    }
    return this.#stream;
  }
}

module.exports = { standardError, standardOutput };
