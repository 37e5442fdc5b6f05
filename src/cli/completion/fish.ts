/**
 * The completion for fish, a script for `source`.
 */
import { ENDINGS } from '../../source/walk-folders.ts';
import { type FlagRow, flagsOf, TOP_FLAGS, type Values, type VerbRow } from './rows.ts';

export function fishCompletion(verbs: readonly VerbRow[]): string {
  const lines = verbs.map(({ name, description }) => `${TOP} -a ${name} -d ${quoted(description)}`);
  return `# paylint completion fish
function __paylint_verb_is
    set -l words (commandline -opc)
    test "$words[2]" = "$argv[1]"
end
function __paylint_no_verb
    test (count (commandline -opc)) -eq 1
end
# Files with the endings of payloads and folders, or all files if there are none.
function __paylint_payloads
    set -l all (__fish_complete_path (commandline -ct))
    string match -ri '^.*(?:/|\\.(?:${ENDINGS.join('|')})(?:\\.gz)?)(?:\\t.*)?$' -- $all
    or string join \\n -- $all
end
# These words, or a file after one of them and =.
function __paylint_words_with_file
    set -l parts (string match -r '^(?:--\\w+=)?(\\w+=)(.*)' -- (commandline -ct))
    or begin
        string join \\n -- $argv
        return
    end
    string replace -r '^' $parts[2] -- (__fish_complete_path $parts[3])
end
complete -c paylint -f
${[...lines, ...TOP_FLAGS.map((flag) => lineFor(TOP, flag)), ...verbs.flatMap(verbLines)].join('\n')}
`;
}

const TOP = 'complete -c paylint -n __paylint_no_verb';

function verbLines(verb: VerbRow): string[] {
  const start = `complete -c paylint -n '__paylint_verb_is ${verb.name}'`;
  const rest = verb.arguments === 'text' ? [] : [`${start} ${valuesFor(verb.arguments)}`];
  return [...rest, ...flagsOf(verb).map((flag) => lineFor(start, flag))];
}

function lineFor(start: string, { long, short, value, takesFile, values, description }: FlagRow): string {
  const name = `-l ${long.slice(2)}${short === null ? '' : ` -s ${short.slice(1)}`}`;
  const proposed =
    takesFile && typeof values !== 'string' ? [`(__paylint_words_with_file ${values.join(' ')})`] : values;
  const takes = value === '' ? '' : ` -r ${valuesFor(proposed)}`;
  return `${start} ${name}${takes} -d ${quoted(description)}`;
}

function valuesFor(values: Values): string {
  switch (values) {
    case 'payloads':
      return "-a '(__paylint_payloads)'";
    case 'files':
      return '-F';
    case 'folders':
      return "-f -a '(__fish_complete_directories)'";
    case 'text':
      return '-f';
    default:
      return `-f -a '${values.join(' ')}'`;
  }
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
