#!/usr/bin/env bash
# The contract of Spark's rdd.pipe and of Hadoop streaming, without either: each partition goes to a process of its own on standard input, the
# process ends with 0, what it prints is the partition's result, and its report is a file named after the task. Shows that the results together
# equal those of one run, and that the merged reports count the same. One partition is empty, and one task is killed half-way and run again: it leaves no report.
#
#   scripts/scale/partitions.sh [PARTITIONS] [MEGABYTES]      4 partitions and 20 MB unless given
#
# Needs jq, and what `npm run build` makes.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
partitions=${1:-4}
make_data "${2:-20}" "$partitions"
worker='exec paylint filter --input lines --exit-zero --allow-empty --stdin-filename "$task" --format "ndjson=reports/$task.report"'
counts() { jq -c 'select(.type == "summary") | {payloads, valid, invalid, violations, kinds, rules}' "$1"; }

paylint filter all.ndjson --format ndjson=one.report > one.out 2> /dev/null || [ $? -eq 1 ]
mkdir results
: > in/empty
# Both engines drop what a failed task has printed, and run it again. This one has read a part of its partition, and waits for the rest.
mkfifo half
exec 9<> half
set -- in/part-*
head -n 20 "$1" >&9
task=$(basename "$1") sh -c "$worker" < half > killed.out 2> /dev/null & pid=$!
until [ -s killed.out ]; do sleep 0.05; done
kill -KILL $pid
wait $pid 2> /dev/null || :
exec 9>&-
[ -z "$(find reports -name '*.report')" ] || { echo 'the killed task has left a report' >&2; exit 1; }
for part in in/*; do
  task=$(basename "$part") sh -c "$worker" < "$part" > "results/$(basename "$part")" 2> /dev/null
done
cat results/* > partitions.out
paylint render reports/*.report --format ndjson > merged.report || [ $? -eq 1 ]
counts one.report > one.counts
counts merged.report > merged.counts
same "what $partitions partitions print" one.out partitions.out
same "counts of their reports, merged" one.counts merged.counts
