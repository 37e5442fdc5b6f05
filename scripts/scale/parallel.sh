#!/usr/bin/env bash
# One host, with GNU parallel. Shows that (1) the merged reports of N shares of many files, and (2) what N workers filter out of the blocks
# of one large file, equal what one run says. Makes its data in a temporary folder and removes it.
#
#   scripts/scale/parallel.sh [WORKERS] [COPIES]      4 workers and 2000 copies of docs/examples/inbox.ndjson unless given
#
# Needs GNU parallel, and what `npm run build` makes.
set -euo pipefail
workers=${1:-4} copies=${2:-2000}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
paylint() { node "$root/bin/paylint.js" "$@"; }
export root
# Four payloads and a line that is cut off: malformed, and yet a line.
{ cat "$root/docs/examples/inbox.ndjson"; echo; } > "$work/sample"
for ((i = 0; i < copies; i++)); do cat "$work/sample"; done > "$work/all.ndjson"
mkdir "$work/in"
(cd "$work/in" && split -l 997 --additional-suffix=.ndjson ../all.ndjson part-)
cd "$work"
same() { # NAME FILE FILE: equal but for times, or the script fails
  diff <(sed 's/"elapsedMs":[0-9]*//' "$2") <(sed 's/"elapsedMs":[0-9]*//' "$3") > /dev/null || { echo "$1: NOT the same"; exit 1; }
  echo "$1: the same"
}

# 1. Shares: each worker reads its own files, and render merges the reports.
paylint validate in --format ndjson > one.report || [ $? -eq 1 ]
parallel --will-cite -j "$workers" "node $root/bin/paylint.js validate in --shard {}/$workers --format ndjson > share-{}.report || [ \$? -eq 1 ]" ::: $(seq "$workers")
paylint render share-*.report --format ndjson > merged.report || [ $? -eq 1 ]
same "report of $workers shares, merged" one.report merged.report

# 2. Blocks: parallel cuts one file at line ends, and gives each worker a block on its standard input.
paylint filter all.ndjson --quiet > one.out 2> one.err || [ $? -eq 1 ]
parallel --will-cite -j "$workers" -k --pipepart --block -1 -a all.ndjson "node $root/bin/paylint.js filter --input lines --quiet 2> /dev/null || [ \$? -eq 1 ]" > blocks.out
same "what is filtered out of $workers blocks" one.out blocks.out
