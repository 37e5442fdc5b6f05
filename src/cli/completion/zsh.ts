/**
 * The completion for zsh: a file `_paylint` of the `fpath`, or text for `source`.
 */
import { ENDINGS } from '../../source/walk-folders.ts';
import { type FlagRow, flagsOf, TOP_FLAGS, type Values, type VerbRow } from './rows.ts';

export function zshCompletion(verbs: readonly VerbRow[]): string {
  return `#compdef paylint
# These words, or a file after one of them and =.
_paylint_words_with_file() {
  if compset -P 1 '*='; then _files; else compadd "$@"; fi
}
_paylint() {
  local curcontext=$curcontext state state_descr line
  typeset -A opt_args
  local -a verbs
  verbs=(
${verbs.map(({ name, description }) => `    ${quoted(`${name}:${description}`)}`).join('\n')}
  )
  _arguments -C ${TOP_FLAGS.flatMap(specs).join(' ')} '1: :->verb' '*:: :->rest'
  case $state in
    verb) _describe verb verbs ;;
    rest)
      case $words[1] in
${verbs.map(verbCase).join('\n')}
      esac ;;
  esac
}
if [[ \${funcstack[1]-} == _paylint ]]; then _paylint "$@"; else compdef _paylint paylint; fi
`;
}

function verbCase(verb: VerbRow): string {
  const rest = verb.argument === '' ? [] : [argumentSpec(verb)];
  const lines = [...flagsOf(verb).flatMap(specs), ...rest];
  return `        ${verb.name})\n          _arguments -S ${lines.join(' \\\n            ')} ;;`;
}

function argumentSpec({ argument, arguments: values }: VerbRow): string {
  const many = argument.includes('...') ? '*' : '1';
  return quoted(`${many}:${argument.replace(/[^\w|]/g, '')}:${actionFor(values)}`);
}

/** The specifications of a flag for `_arguments`, one for each of its names. */
function specs({ long, short, description, ...flag }: FlagRow): string[] {
  const text = `[${description.replace(/[\\[\]:]/g, '\\$&')}]`;
  const repeated = flag.isRepeatable ? '*' : '';
  return (short === null ? [long] : [short, long]).map((name) => {
    const others = short === null || flag.isRepeatable ? '' : `(${short} ${long})`;
    return quoted(`${others}${repeated}${name}${valueSpec(flag, text)}`);
  });
}

function valueSpec({ value, values, takesFile }: Omit<FlagRow, 'long' | 'short' | 'description'>, text: string) {
  if (value === '') return text;
  const name = value.replace(/[^\w]/g, ' ').trim();
  const action =
    takesFile && typeof values !== 'string' ? `_paylint_words_with_file ${values.join(' ')}` : actionFor(values);
  return `=${text}:${name}:${action}`;
}

function actionFor(values: Values): string {
  switch (values) {
    case 'payloads':
      return `_files -g "*.(#i)(${ENDINGS.join('|')})(|.gz)"`;
    case 'files':
      return '_files';
    case 'folders':
      return '_files -/';
    case 'text':
      return ' ';
    default:
      return `(${values.join(' ')})`;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
