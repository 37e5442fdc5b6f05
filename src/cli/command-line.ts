/**
 * What a verb is, and the reader of common command lines: those of a verb with PATHs and flags that are spelled in full are read
 * without commander, if it would give the same; help and mistakes are left to it (`program.ts`).
 */
import { type FlagGroup, type FlagSpec, keyOf, longName, takesValue } from '../config/flags.ts';
import type { Io } from '../source/io.ts';

/** Runs a verb; resolves to the exit code. `flags` has the type of its table of flags. */
type Action<Subject> = (subject: Subject, flags: never, io: Io) => Promise<number>;

interface VerbBase<Subject> {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly FlagGroup[];
  readonly load: () => Promise<Action<Subject>>;
}

/** A verb with paths, with one subject (or none, if it is optional), or without arguments. */
export type Verb =
  | (VerbBase<readonly string[]> & {
      readonly takes: 'paths';
      /** The arguments, if they are not PATHs. */
      readonly argument?: Argument;
    })
  | (VerbBase<string | undefined> & { readonly takes: Argument })
  | (VerbBase<undefined> & { readonly takes: null });

interface Argument {
  readonly name: string;
  readonly description: string;
}

const PATHS: Argument = {
  name: '[path...]',
  description: 'files, folders, globs (! excludes) or - for standard input',
};

export function argumentOf(verb: Verb): Argument | null {
  return verb.takes === 'paths' ? (verb.argument ?? PATHS) : verb.takes;
}

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

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
      if (spec.flags.charAt(1) !== '-') table.set(spec.flags.slice(0, 2), spec);
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
    const isShort = !name.startsWith('--');
    const key = keyOf(isShort && spec !== undefined ? longName(spec) : name);
    // Only a flag with `parse` may be repeated; `--color --no-color` is left to commander.
    if (spec === undefined || (isShort && equals >= 0) || (seen.has(key) && spec.parse === undefined)) return null;
    seen.add(key);
    if (!takesValue(spec)) {
      if (equals >= 0) return null;
      flags[key] = !name.startsWith('--no-');
      continue;
    }
    const value = equals < 0 ? args[++i] : arg.slice(equals + 1);
    if (value === undefined || value === '' || table.has(value)) return null;
    if (equals < 0 && value.startsWith('-') && value !== '-') return null;
    if (spec.choices !== undefined && !spec.choices.includes(value)) return null;
    try {
      const previous = spec.default === undefined ? flags[key] : undefined;
      flags[key] = spec.parse === undefined ? value : spec.parse(value, previous);
    } catch {
      return null;
    }
  }
  return { paths, flags };
}
