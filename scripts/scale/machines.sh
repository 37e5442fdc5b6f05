#!/usr/bin/env bash
# Four machines on one: data in shards, a worker for each shard with a folder and a home of its own, all at once, and a merge.
# One worker is killed and run again. Shows that `render` names the shard that is missing, and that the merged report equals that
# of one run; prints time and memory of each.
#
#   scripts/scale/machines.sh [MEGABYTES] [WORKERS] [SHARDS]      2000 MB, 4 workers and 64 shards unless given
#
# Needs GNU time (Debian's package time), about 1.1 times as much space in the folder for temporary files (TMPDIR), and what `npm run build` makes.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
megabytes=${1:-2000} workers=${2:-4} shards=${3:-64}
seconds() { date +%s.%N; }
calc() { node -p "$1"; }

# Each shard is a file of its own, and no two have the same payloads.
mkdir in reports
for ((i = 0; i < shards; i++)); do
  node "$root/bench/generate.js" --kind content --size "$((megabytes * 1024 / shards))k" --invalid-every 100 --seed "$i" \
    --out "$(printf 'in/shard-%04d.ndjson' "$i")" > /dev/null
done
printf '{"@type":"Comm' >> in/shard-0000.ndjson
echo "$(du -sm in | cut -f 1) MB in $shards shards"

# FILE COMMAND...: its elapsed and processor seconds and its peak of memory go to FILE. The exit code is that of the command.
measured() { local file=$1; shift; command time -q -o "$file" -f '%e %U %S %M' "$@"; }
row() { read -r elapsed user system memory < "$2"; echo "| $1 | $elapsed s | $(calc "($user + $system).toFixed(2)") s | $((memory / 1024)) MB |"; }

# K: the worker of a machine, which sees the data and the folder for reports, and nothing else of the others.
worker() {
  local machine=$work/machine-$1
  mkdir -p "$machine/home"
  ln -sfn "$work/in" "$machine/in"
  ln -sfn "$work/reports" "$machine/reports"
  cd "$machine"
  exec env HOME="$machine/home" paylint validate in --shard "$1/$workers" --threads 1 --format "ndjson=reports/$1.report"
}
export -f worker
export work workers

# All at once, and the last one is killed once it has read a part of its shard.
start=$(seconds)
others=()
for ((k = 1; k < workers; k++)); do
  measured "time-$k" bash -c "worker $k" > /dev/null & others+=($!)
done
(worker "$workers") > /dev/null & pid=$!
until [ "$(sed -n 's/^rchar: //p' "/proc/$pid/io")" -gt $((megabytes * 1000000 / workers / 4)) ]; do
  [ ! -e "reports/$workers.report" ] || { echo "worker $workers ended before it was killed"; exit 1; }
  sleep 0.01
done
kill -KILL "$pid"
code=0
wait "$pid" 2> /dev/null || code=$?
for other in "${others[@]}"; do wait "$other" || [ $? -eq 1 ]; done
echo "$workers workers at once: the last one that was not killed ended after $(calc "($(seconds) - $start).toFixed(1)") s"
echo "worker $workers was killed (exit code $code), and left $(find reports -name "$workers.report" | wc -l) reports"
if paylint render reports/*.report --format ndjson > /dev/null 2> refused; then echo 'a missing shard: NOT named'; exit 1; fi
cat refused
measured "time-$workers" bash -c "worker $workers" > /dev/null || [ $? -eq 1 ]
measured time-merge paylint render reports/*.report --format ndjson=merged.report > /dev/null || [ $? -eq 1 ]
measured time-one paylint validate in --threads 1 --format ndjson=one.report > /dev/null || [ $? -eq 1 ]
same "report of $workers workers, merged" one.report merged.report

echo '| | elapsed | processor | memory |'
echo '|---|---|---|---|'
row 'one process, one thread' time-one
for ((k = 1; k <= workers; k++)); do row "worker $k of $workers" "time-$k"; done
row "merge, $(du -sm merged.report | cut -f 1) MB of reports" time-merge
sum=$(cat time-[0-9]* | awk '{ cpu += $2 + $3 } END { print cpu }')
read -r _ user system _ < time-one
echo "processor time of one process, of the $sum s of all workers: $(calc "(100 * ($user + $system) / $sum).toFixed(0)") %"
