# capture.bash SCRIPT WORD...: what bash proposes for the last word, one per line. SCRIPT is the completion; = is a word of its own.
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_paylint
for word in "${COMPREPLY[@]}"; do printf '%s\n' "$word"; done
