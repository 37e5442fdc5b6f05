/**
 * The type of a verb, as data. The table of all verbs is in `verbs.ts`.
 */
import type { Io } from '../source/io.ts';
import type { FlagGroup } from './flags.ts';

/** Runs a verb; null: only the help is to be shown. `flags` has the type of its table of flags. */
type Action<Subject> = (subject: Subject, flags: never, io: Io) => Promise<number | null>;

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

/** As help shows it. */
interface Argument {
  readonly name: string;
  readonly description: string;
}

/** The arguments of most verbs. */
const PATHS: Argument = {
  name: '[path...]',
  description: 'files, folders, globs (! leaves out) or - for standard input',
};

/** What a verb takes beside flags; null: nothing. */
export function argumentOf(verb: Verb): Argument | null {
  return verb.takes === 'paths' ? (verb.argument ?? PATHS) : verb.takes;
}

/** The shells for which `completion` writes a script. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
