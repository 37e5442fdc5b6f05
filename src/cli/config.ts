/**
 * The config file: found, read, and validated against its schema.
 */

import { lstatSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { NO_LEVELS, type RuleLevels } from '../check/levels.ts';
import { UsageError } from '../errors.ts';
import { readFileOrPipe } from '../input/read-limited.ts';
import { slashed } from '../input/separator.ts';
import { codeOf, wordsFor } from '../input/system-errors.ts';
import { visible } from '../words/escape.ts';

export interface Config {
  /** Absolute path of the file; null if there is none. */
  readonly path: string | null;
  /** The name of the file in messages; empty if there is none. */
  readonly name: string;
  /** Absolute path of its folder, to which its paths and globs are relative. */
  readonly folder: string;
  readonly schema: string | null;
  readonly kinds: readonly { readonly files: string; readonly kind: string }[];
  readonly ignore: readonly string[];
  readonly formats: readonly string[];
  readonly rules: RuleLevels;
  /** Absolute path. */
  readonly baseline: string | null;
  /** Other flags of validate, by their names in camelCase. */
  readonly flags: ConfigFlags;
}

export type ConfigFlags = Readonly<Record<string, string | number | boolean>>;

/** The largest config, in bytes. */
const MAX_BYTES = 16 << 20;

export const CONFIG_NAME = 'paylint.config.json';

const NO_CONFIG = {
  path: null,
  name: '',
  schema: null,
  kinds: [],
  ignore: [],
  formats: [],
  rules: NO_LEVELS,
  baseline: null,
  flags: {},
} as const;

/**
 * `named`: the file of `--config`; false for `--no-config`; undefined to look upward from `cwd`.
 * Throws UsageError for a file that is not there or not as its schema says, with the place of each fault.
 */
export async function loadConfig(named: string | false | undefined, cwd: string): Promise<Config> {
  const path = named === undefined ? nearest(cwd) : named === false ? null : resolve(cwd, named);
  if (path === null) return { ...NO_CONFIG, folder: cwd };
  const name = slashed(relative(cwd, path)) || (named as string); // only a name can be the working directory
  let bytes: Buffer;
  try {
    bytes = readFileOrPipe(path, MAX_BYTES);
  } catch (cause) {
    const isLink = named === undefined && codeOf(cause) === 'ENOENT'; // it was found
    const why = isDirectory(path)
      ? 'is a folder, not a file'
      : isLink
        ? 'broken symbolic link'
        : wordsFor(cause);
    throw new UsageError(`cannot read the config ${visible(name)}: ${why}`, { cause });
  }
  const { parseConfig } = await import('./config-check.ts');
  const {
    $schema: _,
    schema,
    kinds,
    ignore,
    format = [],
    rules,
    baseline,
    ...flags
  } = await parseConfig(bytes, name);
  return {
    path,
    name,
    folder: dirname(path),
    schema: schema ?? null,
    kinds: kinds ?? [],
    ignore: ignore ?? [],
    formats: typeof format === 'string' ? [format] : format,
    rules: rules ?? NO_LEVELS,
    baseline: baseline === undefined ? null : resolve(dirname(path), baseline),
    flags: flags as ConfigFlags, // as the schema says
  };
}

/** `paylint.config.json#/kinds/0/kind: `, for a message about a value of the config. */
export function inConfig({ name }: Config, pointer: string): string {
  return `${visible(name)}#${pointer}: `;
}

function nearest(folder: string): string | null {
  const path = join(folder, CONFIG_NAME);
  if (isThere(path, lstatSync)) return path;
  const parent = dirname(folder);
  return parent === folder ? null : nearest(parent);
}

function isDirectory(path: string): boolean {
  return isThere(path, statSync) && statSync(path).isDirectory();
}

/** With `lstatSync`, a link is there whether or not it leads to a file. False as well if Node's permission model forbids it. */
function isThere(path: string, stat: typeof statSync | typeof lstatSync): boolean {
  try {
    return stat(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
