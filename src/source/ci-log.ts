/**
 * Text for people in the log of a CI system that finds commands in it: `::error::` at the start of a line (GitHub Actions
 * and those that do as it does), `##[error]` and `##vso[…]` anywhere in one (Azure Pipelines, GitHub, TeamCity). There, and
 * only there, the first character of a command becomes its escape. Bytes are payloads and stay as they are.
 *
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 * https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
 * https://www.jetbrains.com/help/teamcity/service-messages.html
 */

import { once } from '../json/on-demand.ts';
import type { OutputStream } from '../json/vocabulary.ts';
import { escapeCodePoint } from '../words/escape.ts';
import { type Io, ioWith } from './io.ts';

/** White space and colours, which are no text to a runner; then `::`. */
const AT_START = /^(?:[^\S\n]|\x1b\[[\d;]*m)*:(?=:)/gm;
const ANYWHERE = /#(?=#[A-Za-z]*\[)/g;

type Commands = readonly RegExp[];

/** By what a system sets for each step. */
const READERS: readonly (readonly [variable: string, commands: Commands])[] = [
  ['GITHUB_ACTIONS', [AT_START, ANYWHERE]],
  ['TF_BUILD', [ANYWHERE]],
  ['TEAMCITY_VERSION', [ANYWHERE]],
  ['GITLAB_CI', []],
  // Some system: it may be any.
  ['CI', [AT_START, ANYWHERE]],
];

function commandsRead(env: Io['env']): Commands {
  const isSet = (value = ''): boolean => value !== '' && !/^(?:false|0)$/i.test(value);
  return READERS.find(([variable]) => isSet(env[variable]))?.[1] ?? [];
}

/** For each stream without commands, the one that it writes to. */
const streams = new WeakMap<object, object>();

/** The same world, in which nothing that is written as text can be a command of the CI system that shows it. */
export function forLogOfCi(io: Io): Io {
  const commands = commandsRead(io.env);
  if (commands.length === 0) return io;
  return ioWith(io, {
    stdout: whenRead(() => withoutCommands(io.stdout, commands)),
    stderr: whenRead(() => withoutCommands(io.stderr, commands)),
  });
}

/** A property whose value is made when it is first read. */
function whenRead<Value>(make: () => Value): PropertyDescriptor {
  return { get: once(make), enumerable: true, configurable: true };
}

/** The stream itself, for a format that means its commands. */
export function withCommands<Stream extends OutputStream>(stream: Stream): Stream {
  return (streams.get(stream) as Stream | undefined) ?? stream; // it stands for one of its type
}

function withoutCommands<Stream extends OutputStream>(stream: Stream, commands: Commands): Stream {
  const write = (text: string | Uint8Array, ...more: unknown[]): unknown =>
    Reflect.apply(stream.write, stream, [typeof text === 'string' ? harmless(text, commands) : text, ...more]);
  const harmlessStream = new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  streams.set(harmlessStream, stream);
  return harmlessStream;
}

function harmless(text: string, commands: Commands): string {
  return commands.reduce(
    (all, command) => all.replace(command, (found) => found.slice(0, -1) + escapeCodePoint(found.at(-1)!)),
    text,
  );
}
