# capture.zsh SCRIPT LINE...: what zsh proposes at the end of each line, one match per line, and === after each. SCRIPT is the
# completion. The lines are typed into an interactive zsh on a terminal of its own.
zmodload zsh/zpty || exit 1
script=$1
shift
zpty inner zsh -f -i
zpty -w inner "PROMPT=; stty -echo; autoload -Uz compinit; compinit -u -D; source $script"
# All matches are printed by compadd itself, between two zero bytes; then the line is emptied.
zpty -w inner 'mark() { print -rn -- $'"'\\0'"' }
  compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
    local -a found
    builtin compadd -O found "$@"
    (( $#found )) && print -rl -- $found
    builtin compadd "$@"
  }
  zle -C complete complete-word _main_complete
  propose() { zle complete; BUFFER= }
  zle -N propose; bindkey "^I" propose
  compprefuncs=(mark); zstyle ":completion:*" list-max 0'
for line in "$@"; do
  zpty -w inner 'compprefuncs=(mark); comppostfuncs=(mark); print -rn -- rea""dy'
  zpty -r inner output '*ready*'
  zpty -w -n inner "$line"$'\t'
  zpty -r inner output $'*\0*\0'
  output=${output%$'\0'*}
  print -r -- ${${output##*$'\0'}//$'\r'}
  print -r -- '==='
done
zpty -d inner
