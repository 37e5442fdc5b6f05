/**
 * Reads the common command lines, a verb with PATHs and flags that are spelled in full, without commander. It gives a
 * result only if commander would give the same; everything else, such as help, a misspelt flag or a wrong value, is
 * left to commander.
 */
import { type FlagGroup, type FlagSpec, keyOf, longName } from './flags.ts';

/** A command line that has been read: values by commander's names for the flags. */
export interface Parsed {
  readonly paths: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
}

/** `args`: what follows the verb. Null: commander must read it. */
export function quickParse(args: readonly string[], groups: readonly FlagGroup[]): Parsed | null {
  const table = new Map<string, FlagSpec>();
  const flags: Record<string, unknown> = {};
  for (const group of groups) {
    for (const spec of group.flags) {
      const name = longName(spec);
      table.set(name, spec);
      if (spec.default !== undefined) flags[keyOf(name)] = spec.default.value;
    }
  }
  const paths: string[] = [];
  const seen = new Set<string>();
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '-' || !arg.startsWith('-')) {
      paths.push(arg);
      continue;
    }
    const equals = arg.indexOf('=');
    const name = equals < 0 ? arg : arg.slice(0, equals);
    const spec = table.get(name);
    const key = keyOf(name);
    // Only a flag with `parse` may be repeated; `--color --no-color` is left to commander.
    if (spec === undefined || (seen.has(key) && spec.parse === undefined)) return null;
    seen.add(key);
    if (!takesValue(spec)) {
      if (equals >= 0) return null;
      flags[key] = !name.startsWith('--no-');
      continue;
    }
    const value = equals < 0 ? args[++i] : arg.slice(equals + 1);
    if (
      value === undefined ||
      value === '' ||
      table.has(value) ||
      (equals < 0 && value.startsWith('-') && value !== '-')
    )
      return null;
    if (spec.choices !== undefined && !spec.choices.includes(value)) return null;
    try {
      flags[key] = spec.parse === undefined ? value : spec.parse(value, previousOf(flags[key], spec));
    } catch {
      return null;
    }
  }
  return { paths, flags };
}

function takesValue({ flags }: FlagSpec): boolean {
  return flags.includes('<');
}

/** The previous value for `parse`: a default does not count. */
function previousOf(value: unknown, spec: FlagSpec): unknown {
  return spec.default === undefined ? value : undefined;
}
