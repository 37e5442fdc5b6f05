/**
 * `paylint help formats`, `framing` and `config`: concepts that several verbs share. Loaded only for them.
 */

import { bundledSchema } from '../package.ts';
import { AUTO, FORMATS } from '../report/report-formats.ts';
import { wrapped } from '../report/text-width.ts';
import { readDocument } from '../schema/document.ts';
import type { Io } from '../source/io.ts';
import type { Framing } from '../types.ts';
import { widthOf } from './terminal.ts';

type TopicRow = readonly [name: string, text: string];

/** A paragraph, or rows. */
type TopicPart = string | readonly TopicRow[];

export const FORMAT_ROWS: readonly TopicRow[] = [
  ...Object.entries(FORMATS).map(([name, { description }]): TopicRow => [name, description]),
  [AUTO, 'github in GitHub Actions, pretty elsewhere'],
];

export const FRAMINGS: Readonly<Record<Framing, string>> = {
  json: 'One JSON text: a payload, or an array of payloads. With --whole, or if the schema is about arrays, the array itself is the payload.',
  lines:
    'One payload per line (NDJSON, JSON Lines). A malformed line does not hide the next one. ndjson and jsonl are other names.',
  stream: 'JSON texts one after another, however they are laid out: what jq prints, also with --seq.',
};

/** The names of the topics, and what each prints. */
export const TOPICS: Readonly<Record<string, () => readonly TopicPart[]>> = {
  formats: () => [
    '--format NAME prints a report to standard output, --format NAME=FILE writes it into a file. ' +
      'The flag may be repeated: one report to standard output, any number to files.',
    FORMAT_ROWS,
    'fill, filter and convert print payloads to standard output, and their report to standard error.',
  ],
  framing: () => [
    'The framing is how a source contains its payloads. *.json is json, *.ndjson and *.jsonl are lines; ' +
      'anything else, and standard input, ' +
      'is detected by its content. --input FRAMING decides for all sources.',
    Object.entries(FRAMINGS),
    'Gzip is recognised by content, for every framing. A note says if the content plainly has another framing than its name.',
  ],
  config: () => [
    'paylint.config.json is looked for upward from the working directory, as far as the root of the repository. ' +
      '--config FILE names another one, --no-config uses none, and --print-config shows ' +
      'the settings in force and where each is from. A flag wins over the config. The keys:',
    configKeys(),
    'An example: { "schema": "order.schema.json", "ignore": ["drafts/"], "rules": { "maxLength": "warning" } }',
  ],
};

/** As the schema of the config describes them. */
function configKeys(): TopicRow[] {
  const name = 'config.schema.json';
  const { schema } = readDocument(bundledSchema(name), name);
  const { properties } = schema as { readonly properties: Record<string, { readonly description: string }> }; // ours
  return Object.entries(properties).map(([key, { description }]) => [key, description]);
}

/** The text of a topic, at the width of the output. */
export function topicText(parts: readonly TopicPart[], io: Io): string {
  const width = widthOf(io.stdout, io.env);
  const paragraphs = parts.map((part) => {
    if (typeof part === 'string') return wrapped(part, width, '', '').join('\n');
    const column = Math.max(...part.map(([name]) => name.length)) + 4;
    const rows = part.map(([name, text]) => wrapped(text, width, `  ${name}`.padEnd(column), ' '.repeat(column)));
    return rows.flat().join('\n');
  });
  return `${paragraphs.join('\n\n')}\n`;
}
