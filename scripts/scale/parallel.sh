#!/usr/bin/env bash
# One host, with GNU parallel. Shows that (1) the merged reports of N shards of many files, and (2) what N workers filter out of the blocks
# of one large file, equal what one run says.
#
#   scripts/scale/parallel.sh [WORKERS] [MEGABYTES]      4 workers and 20 MB unless given
#
# Needs GNU parallel, and what `npm run build` makes.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
workers=${1:-4}
make_data "${2:-20}" 10

# 1. Shards: each worker reads its own files, and render merges the reports.
paylint validate in --format ndjson > one.report || [ $? -eq 1 ]
parallel --will-cite -j "$workers" "paylint validate in --shard {}/$workers --format ndjson > shard-{}.report || [ \$? -eq 1 ]" ::: $(seq "$workers")
paylint render shard-*.report --format ndjson > merged.report || [ $? -eq 1 ]
same "report of $workers shards, merged" one.report merged.report

# 2. Blocks: parallel cuts one file at line ends, and gives each worker a block on its standard input.
paylint filter all.ndjson --quiet > one.out 2> one.err || [ $? -eq 1 ]
parallel --will-cite -j "$workers" -k --pipepart --block -1 -a all.ndjson 'paylint filter --input lines --quiet 2> /dev/null || [ $? -eq 1 ]' > blocks.out
same "what is filtered out of $workers blocks" one.out blocks.out
