/** The verbs, as data: a new one is a row here, a file of its own, and an outlet if it writes payloads. */

import { type FlagGroup, type FlagSpec, SCHEMA_FLAGS, VALIDATE_FLAGS } from '../config/flags.ts';
import {
  COMPARE_FLAGS,
  CONVERT_FLAGS,
  COVERAGE_FLAGS,
  FILL_FLAGS,
  FILTER_FLAGS,
  PRUNE_FLAGS,
  RENDER_FLAGS,
  TEST_FLAGS,
} from '../config/verb-flags.ts';
import type { Io } from '../source/io.ts';
import { SHELLS, type Verb } from './command-line.ts';

const TEXT_OR_JSON: FlagSpec = {
  flags: '-f, --format <name>',
  description: 'how to print it',
  choices: ['text', 'json'],
  default: { value: 'text' },
};

/** Clients add this flag to the command of every server. */
const LSP_FLAGS: FlagGroup = {
  heading: 'Transport',
  flags: [{ flags: '--stdio', description: 'standard input and output, as without it' }],
};

export const VERBS: readonly Verb[] = [
  {
    name: 'validate',
    description: 'Report every violation of every payload.',
    takes: 'paths',
    flags: VALIDATE_FLAGS,
    load: async () => (await import('./validate.ts')).validate,
  },
  {
    name: 'fill',
    description:
      'Fill in the members that are missing and have a default. Payloads go to standard output; no other byte changes.',
    takes: 'paths',
    flags: FILL_FLAGS,
    load: async () => (await import('./fill.ts')).fill,
  },
  {
    name: 'prune',
    description:
      'Take out the members that the schema does not allow. Payloads go to standard output; no other byte changes.',
    takes: 'paths',
    flags: PRUNE_FLAGS,
    load: async () => (await import('./fill.ts')).prune,
  },
  {
    name: 'filter',
    description: 'Print the valid payloads, byte for byte and in order. The report goes to standard error.',
    takes: 'paths',
    flags: FILTER_FLAGS,
    load: async () => (await import('./filter.ts')).filter,
  },
  {
    name: 'convert',
    description: 'Print the same payloads as NDJSON or as one JSON array. The report goes to standard error.',
    takes: 'paths',
    flags: CONVERT_FLAGS,
    load: async () => (await import('./convert.ts')).convert,
  },
  {
    name: 'render',
    description: 'Merge NDJSON reports of any number of runs, and show them in any format.',
    takes: 'paths',
    argument: { name: '[report...]', description: 'NDJSON reports, or - for standard input' },
    flags: RENDER_FLAGS,
    load: async () => (await import('./render.ts')).render,
  },
  {
    name: 'compare',
    description: 'Check payloads by two schemas in one pass: which of them break, and which become valid.',
    takes: 'paths',
    flags: COMPARE_FLAGS,
    load: async () => (await import('./compare.ts')).compare,
  },
  {
    name: 'coverage',
    description: 'Show which parts of a schema payloads exercise: keywords, alternatives, values, members.',
    takes: 'paths',
    flags: COVERAGE_FLAGS,
    load: async () => (await import('./coverage.ts')).coverage,
  },
  {
    name: 'test',
    description: 'Test schemas: payloads that must be valid, or must break a rule at a pointer.',
    takes: 'paths',
    flags: TEST_FLAGS,
    argument: {
      name: '[path...]',
      description: 'test files, folders with *.test.json, valid/ and invalid/, or globs (default: .)',
    },
    load: async () => (await import('./test.ts')).test,
  },
  {
    name: 'kinds',
    description: 'List the kinds, how each is detected, and where its schema is.',
    takes: null,
    flags: [{ ...SCHEMA_FLAGS, flags: [...SCHEMA_FLAGS.flags, TEXT_OR_JSON] }],
    load: async () => async (_, flags, io) => (await import('./kinds.ts')).kinds(flags, io),
  },
  {
    name: 'explain',
    description:
      'Say what a rule means, or what the schemas say about a kind or a member; without either, list the rules.',
    takes: {
      name: '[rule|member]',
      description:
        'a rule (required), a kind (Comment) or a member (contract/coverage/maxAge, /0/coverage/maxAge, maxAge)',
    },
    flags: [{ ...SCHEMA_FLAGS, flags: [...SCHEMA_FLAGS.flags, TEXT_OR_JSON] }],
    load: async () => (await import('./explain.ts')).explain,
  },
  {
    name: 'lsp',
    description: 'Serve editors: the language server protocol on standard input and output.',
    takes: null,
    flags: [LSP_FLAGS],
    load: async () => async (_, _flags, io) => (await import('../lsp/server.ts')).serve(io),
  },
  {
    name: 'completion',
    description: 'Print a script that completes command lines in a shell.',
    takes: { name: '[shell]', description: SHELLS.join(', ') },
    flags: [],
    load: async () => async (shell: string | undefined, _: never, io: Io) =>
      (await import('./completion/scripts.ts')).completion(shell, VERBS, io),
  },
];
