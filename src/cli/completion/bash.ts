/**
 * The completion for bash, from 3.2 on. It needs no other program and no other completion.
 */

import { ENDINGS } from '../../source/walk-folders.ts';
import { type FlagRow, flagsOf, TOP_FLAGS, type Values, type VerbRow } from './rows.ts';

export function bashCompletion(verbs: readonly VerbRow[]): string {
  return `# paylint completion bash
${FUNCTIONS}
_paylint() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} verb=\${COMP_WORDS[1]} ended='' i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    if [[ $cur == -* ]]; then _paylint_words '${TOP_FLAGS.flatMap(namesOf).join(' ')}'
    else _paylint_words '${verbs.map(({ name }) => name).join(' ')}'; fi
    return
  fi
  # In bash, = is a word of its own.
  local flag=$prev assigned=
  if [[ $cur == = ]]; then
    cur='' assigned=1
  elif [[ $prev == = ]]; then
    flag=\${COMP_WORDS[COMP_CWORD-2]} assigned=1
  fi
  for ((i = 2; i < COMP_CWORD; i++)); do [[ \${COMP_WORDS[i]} != -- ]] || ended=1; done
  [[ -z $ended ]] || flag='' assigned=''
  case "$verb $flag" in
${cases(verbs)}
  esac
  # The file after the name of a format.
  [[ -z $assigned ]] || { _paylint_files; return; }
  case $verb in
${verbs.map(verbCase).join('\n')}
  esac
}
complete -o filenames -F _paylint paylint
`;
}

const FUNCTIONS = `
_paylint_words() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$cur")
}
# Files that match $1 and folders, or all files if there are none.
_paylint_files() {
  local name
  while IFS= read -r name; do
    [[ ! -d \${name/#\\~/$HOME} && ! $name =~ \${1-} ]] || COMPREPLY+=("$name")
  done < <(compgen -f -- "$cur")
  [[ -z \${1-} || \${#COMPREPLY[@]} -gt 0 ]] || _paylint_files
}
_paylint_folders() {
  local name
  while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -d -- "$cur")
}
`;

function namesOf({ long, short }: FlagRow): string[] {
  return short === null ? [long] : [short, long];
}

/** The values of flags; those that have the same are one case. A value that may be left out is given only with `=`. */
function cases(verbs: readonly VerbRow[]): string {
  const patterns = new Map<string, string[]>();
  for (const verb of verbs) {
    for (const flag of flagsOf(verb)) {
      if (flag.value === '') continue;
      const action = actionFor(flag.values);
      patterns.set(action, [...(patterns.get(action) ?? []), `'${verb.name} ${flag.long}'`]);
    }
  }
  return [...patterns]
    .map(([action, names]) => `    ${names.join(' | \\\n    ')})\n      ${action}\n      return ;;`)
    .join('\n');
}

function verbCase(verb: VerbRow): string {
  const action = actionFor(verb.arguments);
  const words = flagsOf(verb).flatMap(namesOf).join(' ');
  return `    ${verb.name})
      if [[ -z $ended && $cur == -* ]]; then _paylint_words '${words}'; else ${action}; fi ;;`;
}

function actionFor(values: Values): string {
  switch (values) {
    case 'payloads':
      return `_paylint_files '\\.(${ENDINGS.join('|')})(\\.gz)?$'`;
    case 'files':
      return '_paylint_files';
    case 'folders':
      return '_paylint_folders';
    case 'text':
      return ':';
    default:
      return `_paylint_words '${values.join(' ')}'`;
  }
}

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
