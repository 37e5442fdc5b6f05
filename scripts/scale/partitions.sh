#!/usr/bin/env bash
# The contract of Spark's rdd.pipe and of Hadoop streaming, without either: each partition goes to a process of its own on standard input, the
# process ends with 0, what it prints is the partition's result, and its report is a file named after the task. Shows that the results together
# equal those of one run, and that the merged reports count the same.
#
#   scripts/scale/partitions.sh [PARTITIONS] [MEGABYTES]      4 partitions and 20 MB unless given
#
# Needs jq, and what `npm run build` makes.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
partitions=${1:-4}
make_data "${2:-20}" "$partitions"
worker='paylint filter --input lines --exit-zero --allow-empty --stdin-filename "$task" --format "ndjson=reports/$task.report"'
counts() { jq -c 'select(.type == "summary") | {payloads, valid, invalid, violations, kinds, rules}' "$1"; }

paylint filter all.ndjson --format ndjson=one.report > one.out 2> /dev/null || [ $? -eq 1 ]
mkdir results
: > in/empty
for part in in/*; do
  task=$(basename "$part") sh -c "$worker" < "$part" > "results/$(basename "$part")" 2> /dev/null
done
cat results/* > partitions.out
paylint render reports/*.report --format ndjson > merged.report || [ $? -eq 1 ]
counts one.report > one.counts
counts merged.report > merged.counts
same "what $partitions partitions print" one.out partitions.out
same "counts of their reports, merged" one.counts merged.counts
