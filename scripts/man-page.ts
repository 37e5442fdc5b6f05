/**
 * The man page `paylint.1`, in the macros of man(7): the tables of verbs and flags, the formats and framings, and the exit codes of
 * docs/reference/cli.md. The same sources always give the same text.
 */
import { completions, type FlagRow, TOP_FLAGS, type VerbRow } from '../src/cli/completion/rows.ts';
import { VERBS } from '../src/cli/verbs.ts';
import { AUTO, FORMATS } from '../src/report/report-formats.ts';
import type { Framing } from '../src/types.ts';

export interface Release {
  readonly version: string;
  /** Of the release, as `YYYY-MM-DD`; empty before. */
  readonly date: string;
  readonly description: string;
  /** Rows of a code and its meaning, in Markdown. */
  readonly exitCodes: readonly (readonly [code: string, meaning: string])[];
}

const FRAMINGS: Readonly<Record<Framing, string>> = {
  json: 'One JSON text: a payload, or an array of payloads. With --whole, or if the schema is about arrays, the array itself is the payload.',
  lines:
    'One payload per line (NDJSON, JSON Lines). A malformed line does not hide the next one. ndjson and jsonl are other names.',
  stream: 'JSON texts one after another, however they are laid out: what jq prints, also with --seq.',
};

export function manPage({ version, date, description, exitCodes }: Release): string {
  const verbs = completions(VERBS, []).filter(({ name }) => name !== 'help');
  return `${[
    `.TH PAYLINT 1 "${date}" "paylint ${version}" "User Commands"`,
    '.SH NAME',
    `paylint \\- ${text(description)}`,
    '.SH SYNOPSIS',
    ...verbs.flatMap((verb, i) => (i === 0 ? [] : ['.br']).concat(synopsis(verb))),
    '.SH DESCRIPTION',
    text(
      'A source is a file or standard input, and contains payloads: JSON values, each of a kind. A kind has a JSON Schema.',
    ),
    ...verbs.flatMap(verbPart),
    '.SH OPTIONS',
    ...TOP_FLAGS.flatMap(flagPart),
    '.SH FORMATS',
    ...rows(Object.entries(FORMATS).map(([name, { description }]) => [name, description])),
    ...rows([[AUTO, 'github in GitHub Actions, pretty elsewhere']]),
    '.SH FRAMINGS',
    ...rows(Object.entries(FRAMINGS)),
    '.SH EXIT STATUS',
    ...rows(exitCodes.map(([code, meaning]) => [code, meaning.replaceAll('`', '')])),
    '.SH FILES',
    ...rows([['paylint.config.json', 'settings of a project; docs/reference/config.md lists them']]),
    '.SH SEE ALSO',
    '.BR jq (1)',
  ].join('\n')}\n`;
}

function synopsis({ name, argument }: VerbRow): string[] {
  const words = [`.B paylint ${name}`, '[\\fIoptions\\fR]', text(argument)].filter((word) => word !== '');
  return [words[0]!, words.slice(1).join(' ')];
}

function verbPart({ name, description, argument, argumentText, groups }: VerbRow): string[] {
  const flags = groups.flatMap((one) => one.flags).filter(({ long }) => long !== '--help');
  return [
    `.SH "PAYLINT ${name.toUpperCase()}"`,
    text(description),
    ...(argument === '' ? [] : rows([[argument, argumentText]])),
    ...flags.flatMap(flagPart),
  ];
}

function flagPart({ short, long, value, description }: FlagRow): string[] {
  const names = (short === null ? [long] : [short, long]).map((name) => `\\fB${text(name)}\\fR`).join(', ');
  return ['.TP', value === '' ? names : `${names} \\fI${text(value)}\\fR`, text(description)];
}

function rows(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs.flatMap(([name, meaning]) => ['.TP', `.B ${text(name)}`, text(meaning)]);
}

/** For roff: in lines of at most 80 characters; a hyphen is one that can be copied, and no line begins with a control character. */
function text(plain: string): string {
  const escaped = plain.replaceAll('\\', '\\e').replaceAll('-', '\\-');
  return escaped
    .replace(/(.{1,76})(?: |$)/g, '$1\n')
    .trimEnd()
    .replace(/^(?=[.'])/gm, '\\&');
}
