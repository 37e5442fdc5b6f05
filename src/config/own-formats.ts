/**
 * The formats of a config: each is checked before the first payload, and its list of values read. A config cannot run a
 * program, and no text can make a pattern take long: only patterns that are matched in linear time are accepted.
 */
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { escapeToken } from '../json/pointer.ts';
import { FORMAT_FILE_BYTES } from '../limits.ts';
import type { OwnFormat, OwnFormats, RawFormat } from '../schema/formats/format.ts';
import { linearPattern } from '../schema/regexp.ts';
import { nameFault } from '../schema/suspect.ts';
import { visible } from '../words/escape.ts';
import { jsonIn } from './authored-file.ts';
import { type Config, inConfig } from './config.ts';
import { readNamed, requireInside } from './config-search.ts';

/** Throws UsageError. */
export function readFormats(config: Config): OwnFormats {
  return new Map(
    Object.entries(config.ownFormats).map(([name, raw]) => {
      const place = `/formats/${escapeToken(name)}`;
      const fault = nameFault(name, raw === false);
      if (fault !== null) throw new UsageError(inConfig(config, place) + fault);
      return [name, raw === false ? false : formatFrom(raw, place, config)];
    }),
  );
}

function formatFrom(raw: Exclude<RawFormat, false>, place: string, config: Config): OwnFormat {
  const { message, pattern, values } = raw;
  if ((pattern === undefined) === (values === undefined))
    throw new UsageError(`${inConfig(config, place)}expected "pattern" or "values", and not both`);
  const at = inConfig(config, `${place}/${pattern === undefined ? 'values' : 'pattern'}`);
  const own =
    pattern === undefined
      ? { values: valuesIn(values!, at, config) } // as tested
      : { pattern: linearPattern(pattern, '', (fault) => `${at}${fault}`).source };
  return message === undefined ? own : { ...own, message };
}

/** The values in a JSON array of strings, or else one on each line. */
function valuesIn(file: string, at: string, { folder }: Config): ReadonlySet<string> {
  requireInside(file, folder, at);
  const path = resolve(folder, file);
  const bytes = readNamed(path, FORMAT_FILE_BYTES, `${at}cannot read ${visible(file)}`);
  const lines = bytes
    .toString()
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  const isJson = /\.json$/i.test(file);
  const values: unknown = isJson ? jsonIn(bytes, { path, name: file }, at) : lines.filter((line) => line !== '');
  const isText = (one: unknown): one is string => typeof one === 'string';
  if (!Array.isArray(values) || !values.every(isText))
    throw new UsageError(
      `${at}expected a JSON array of strings in ${visible(file)}, or a text file with one value on each line`,
    );
  if (values.length === 0) throw new UsageError(`${at}there is no value in ${visible(file)}`);
  return new Set(values);
}
