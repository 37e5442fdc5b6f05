/**
 * The completions: for bash from 3.2 on, which needs no other program, for fish, for zsh (a file `_paylint` of the
 * `fpath`, or text for `source`) and for PowerShell, which proposes files where the script proposes nothing.
 */
import { loadConfig } from '../../config/config.ts';
import { accepted, chosen } from '../../config/flags.ts';
import { UsageError } from '../../errors.ts';
import type { Io } from '../../source/io.ts';
import { ENDINGS } from '../../source/walk-folders.ts';
import { quote } from '../../words/escape.ts';
import { SHELLS, type Verb } from '../command-line.ts';
import { loadSchemasFor } from '../options.ts';
import { print } from '../outputs.ts';
import { completions, type FlagRow, flagsOf, TOP_FLAGS, type Values, type VerbRow } from './rows.ts';

/** How a shell proposes values: words, or one of the sorts of files. */
interface Proposals extends Readonly<Record<Extract<Values, string>, string>> {
  readonly words: (words: string) => string;
}

function proposal({ words, ...sorts }: Proposals, values: Values): string {
  return typeof values === 'string' ? sorts[values] : words(values.join(' '));
}

const BASH: Proposals = {
  payloads: `_paylint_files '\\.(${ENDINGS.join('|')})(\\.gz)?$'`,
  files: '_paylint_files',
  schema: '_paylint_words ajv; _paylint_files',
  folders: '_paylint_folders',
  text: ':',
  words: (words) => `_paylint_words '${words}'`,
};

const FISH: Proposals = {
  payloads: "-a '(__paylint_payloads)'",
  files: '-F',
  schema: '-F -a ajv',
  folders: "-f -a '(__fish_complete_directories)'",
  text: '-f',
  words: (words) => `-f -a '${words}'`,
};

const ZSH: Proposals = {
  payloads: `_files -g "*.(#i)(${ENDINGS.join('|')})(|.gz)"`,
  files: '_files',
  schema: '{_files; compadd ajv}',
  folders: '_files -/',
  text: ' ',
  words: (words) => `(${words})`,
};

function bashCompletion(verbs: readonly VerbRow[]): string {
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
${bashCases(verbs)}
  esac
  # The file after the name of a format.
  [[ -z $assigned ]] || { _paylint_files; return; }
  case $verb in
${verbs.map(bashCase).join('\n')}
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
function bashCases(verbs: readonly VerbRow[]): string {
  const patterns = new Map<string, string[]>();
  for (const verb of verbs) {
    for (const flag of flagsOf(verb)) {
      if (flag.value === '') continue;
      const action = proposal(BASH, flag.values);
      const names = namesOf(flag).map((name) => `'${verb.name} ${name}'`);
      patterns.set(action, [...(patterns.get(action) ?? []), ...names]);
    }
  }
  return [...patterns]
    .map(([action, names]) => `    ${names.join(' | \\\n    ')})\n      ${action}\n      return ;;`)
    .join('\n');
}

function bashCase(verb: VerbRow): string {
  const action = proposal(BASH, verb.arguments);
  const words = flagsOf(verb).flatMap(namesOf).join(' ');
  return `    ${verb.name})
      if [[ -z $ended && $cur == -* ]]; then _paylint_words '${words}'; else ${action}; fi ;;`;
}

function fishCompletion(verbs: readonly VerbRow[]): string {
  const lines = verbs.map(({ name, description }) => `${TOP} -a ${name} -d ${fishQuoted(description)}`);
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
complete -c paylint -f
${[...lines, ...TOP_FLAGS.map((flag) => fishLine(TOP, flag)), ...verbs.flatMap(fishLines)].join('\n')}
`;
}

const TOP = 'complete -c paylint -n __paylint_no_verb';

function fishLines(verb: VerbRow): string[] {
  const start = `complete -c paylint -n '__paylint_verb_is ${verb.name}'`;
  const rest = verb.arguments === 'text' ? [] : [`${start} ${proposal(FISH, verb.arguments)}`];
  return [...rest, ...flagsOf(verb).map((flag) => fishLine(start, flag))];
}

function fishLine(start: string, { long, short, value, values, description }: FlagRow): string {
  const name = `-l ${long.slice(2)}${short === null ? '' : ` -s ${short.slice(1)}`}`;
  const takes = value === '' ? '' : ` -r ${proposal(FISH, values)}`;
  return `${start} ${name}${takes} -d ${fishQuoted(description)}`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

function zshCompletion(verbs: readonly VerbRow[]): string {
  return `#compdef paylint
_paylint() {
  local curcontext=$curcontext state state_descr line
  typeset -A opt_args
  local -a verbs
  verbs=(
${verbs.map(({ name, description }) => `    ${zshQuoted(`${name}:${description}`)}`).join('\n')}
  )
  _arguments -C ${TOP_FLAGS.flatMap(zshSpecs).join(' ')} '1: :->verb' '*:: :->rest'
  case $state in
    verb) _describe verb verbs ;;
    rest)
      case $words[1] in
${verbs.map(zshCase).join('\n')}
      esac ;;
  esac
}
if [[ \${funcstack[1]-} == _paylint ]]; then _paylint "$@"; else compdef _paylint paylint; fi
`;
}

function zshCase(verb: VerbRow): string {
  const rest = verb.argument === '' ? [] : [zshArgument(verb)];
  const lines = [...flagsOf(verb).flatMap(zshSpecs), ...rest];
  return `        ${verb.name})\n          _arguments -S ${lines.join(' \\\n            ')} ;;`;
}

function zshArgument({ argument, arguments: values }: VerbRow): string {
  const many = argument.includes('...') ? '*' : '1';
  return zshQuoted(`${many}:${argument.replace(/[^\w|]/g, '')}:${proposal(ZSH, values)}`);
}

function zshSpecs({ long, short, description, ...flag }: FlagRow): string[] {
  const text = `[${description.replace(/[\\[\]:]/g, '\\$&')}]`;
  const repeated = flag.isRepeatable ? '*' : '';
  return (short === null ? [long] : [short, long]).map((name) => {
    const others = short === null || flag.isRepeatable ? '' : `(${short} ${long})`;
    const value = flag.value.replace(/[^\w]/g, ' ').trim();
    const proposed = value === '' ? text : `=${text}:${value}:${proposal(ZSH, flag.values)}`;
    return zshQuoted(`${others}${repeated}${name}${proposed}`);
  });
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function powershellCompletion(verbs: readonly VerbRow[]): string {
  return `# paylint completion powershell
Register-ArgumentCompleter -Native -CommandName paylint -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $verbs = [ordered]@{
${verbs.map(({ name, description }) => `    ${powershellQuoted(name)} = ${powershellQuoted(description)}`).join('\n')}
  }
  $flags = @{
    '' = [ordered]@{
${TOP_FLAGS.flatMap(flagLines).join('\n')}
    }
${verbs.map((verb) => `    ${powershellQuoted(verb.name)} = [ordered]@{\n${flagsOf(verb).flatMap(flagLines).join('\n')}\n    }`).join('\n')}
  }
  $values = @{
${verbs.flatMap(valueLines).join('\n')}
  }
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  if ($wordToComplete -ne '') { $words = @($words | Select-Object -SkipLast 1) }
  $verb = if ($words.Count -gt 1) { $words[1] } else { '' }
  $start = ''
  if ($wordToComplete -match '^(--[\\w-]+=)') {
    $start = $Matches[1]
    $found = $values["$verb $($start.TrimEnd('='))"]
  } elseif ($values.ContainsKey("$verb $($words[-1])")) {
    $found = $values["$verb $($words[-1])"]
  } elseif ($wordToComplete -like '-*') {
    $found = $flags[$verb]
  } elseif ($verb -eq '') {
    $found = $verbs
  } else {
    $found = $values[$verb]
  }
  if ($null -eq $found) { return }
  $names = if ($found -is [array]) { $found } else { $found.Keys }
  $names | Where-Object { "$start$_".StartsWith($wordToComplete) } | ForEach-Object {
    $text = if ($found -is [array]) { $_ } else { $found[$_] }
    [System.Management.Automation.CompletionResult]::new("$start$_", $_, 'ParameterValue', $text)
  }
}
`;
}

function flagLines({ long, short, description }: FlagRow): string[] {
  return [long, ...(short === null ? [] : [short])].map(
    (name) => `      ${powershellQuoted(name)} = ${powershellQuoted(description)}`,
  );
}

/** The words that values may be: by verb and flag, and by verb for its argument. */
function valueLines(verb: VerbRow): string[] {
  const rows = [
    { key: verb.name, values: verb.arguments },
    ...flagsOf(verb).flatMap((flag) =>
      namesOf(flag).map((name) => ({ key: `${verb.name} ${name}`, values: flag.values })),
    ),
  ];
  return rows.flatMap(({ key, values }) =>
    typeof values === 'string' ? [] : [`    ${powershellQuoted(key)} = @(${values.map(powershellQuoted).join(', ')})`],
  );
}

function powershellQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (verbs: readonly VerbRow[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
};

/** Throws UsageError. */
export async function completion(shell: string | undefined, all: readonly Verb[], io: Io): Promise<number> {
  if (shell === undefined) throw new UsageError(`a shell is missing: ${SHELLS.join(', ')}`);
  const name = accepted(
    () => chosen(shell, { choices: SHELLS }),
    'SHELL',
    () => quote(shell),
  );
  const script = SCRIPTS[name as keyof typeof SCRIPTS]; // one of the choices
  // Of the bundled schemas: a script is made once, for all folders.
  const { kinds } = await loadSchemasFor({}, await loadConfig(false, io), io);
  const names = kinds.map(({ name }) => name);
  return print(script(completions(all, names)), io);
}
