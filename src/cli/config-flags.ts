/**
 * The flags that the config gives: each is a member with the flag's name in camelCase, and its value is read as if it
 * was typed.
 */

import { type Config, inConfig } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import { type FlagGroup, type FlagSpec, InvalidValue, keyOf, longName } from './flags.ts';

/**
 * The flags of the config that `groups` have and that were not typed. Throws UsageError for a value that a flag does
 * not take.
 */
export function configFlags(
  typed: object,
  config: Config,
  groups: readonly FlagGroup[],
): Readonly<Record<string, unknown>> {
  const specs = new Map<string, FlagSpec>();
  for (const spec of groups.flatMap(({ flags }) => flags)) {
    // Of --color and --no-color, the first one takes what the config says.
    if (!specs.has(flagKey(spec))) specs.set(flagKey(spec), spec);
  }
  const flags: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(config.flags)) {
    const spec = specs.get(key);
    if (spec === undefined || (typed as Record<string, unknown>)[key] !== undefined) continue;
    const read = readFlag(spec, value, config, key);
    if (read !== undefined) flags[key] = read;
  }
  return flags;
}

/** The value that the flag would have on the command line; undefined if it would not be given there. */
function readFlag({ parse, flags, aliases }: FlagSpec, value: unknown, config: Config, key: string): unknown {
  if (!flags.includes('<')) return value === false && !/^--(no-|color)/.test(flags) ? undefined : value;
  if (parse === undefined) return aliases?.[String(value)] ?? String(value);
  try {
    return parse(String(value), undefined);
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    throw new UsageError(`${inConfig(config, `/${key}`)}${error.message}, found ${JSON.stringify(value)}`, {
      cause: error,
    });
  }
}

/** The key of the config for a flag: `maxDepth` of `--max-depth <n>`, `assertFormats` of `--no-assert-formats`. */
export function flagKey(spec: FlagSpec): string {
  return keyOf(longName(spec));
}
