#!/usr/bin/env bash
# Dask, with a scheduler and workers as they run on several machines: shards of files, one of whose workers is killed and started again by its nanny, and blocks of one
# file. Shows that the merged reports, and what is filtered out, equal what one run says.
#
#   scripts/scale/dask.sh [SHARDS] [MEGABYTES]      4 shards and 40 MB unless given
#
# Needs Debian's python3-distributed, and what `npm run build` makes. The scheduler listens on 127.0.0.1 alone, and all is stopped at the end.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
shares=${1:-4}
make_data "${2:-40}" 10
python=/usr/bin/python3 # Debian's, which has Debian's packages
"$python" -c 'import distributed' || { echo 'python3-distributed is missing' >&2; exit 1; }
port=$((20000 + RANDOM % 20000))
started=()
stop() {
  for pid in "${started[@]}"; do kill "$pid" 2> /dev/null || :; done
  for pid in "${started[@]}"; do wait "$pid" 2> /dev/null || :; done
}
start() { "$@" > /dev/null 2>> dask.log & started=($! "${started[@]}"); }
start "$python" -m distributed.cli.dask_scheduler --host 127.0.0.1 --port "$port" --no-dashboard
for _ in 1 2; do start "$python" -m distributed.cli.dask_worker "tcp://127.0.0.1:$port" --nthreads 1 --nworkers 1 --no-dashboard --local-directory "$work"; done

paylint validate in --format ndjson=one.report > /dev/null || [ $? -eq 1 ]
paylint filter all.ndjson --quiet > one.out 2> /dev/null || [ $? -eq 1 ]
mkdir reports
blocks=$("$python" "$root/scripts/scale/dask-tasks.py" "tcp://127.0.0.1:$port" "$shares" 2> client.log) || { tail -n 20 client.log dask.log >&2; exit 1; }
[ -e was-killed ] || { echo 'no worker was killed' >&2; exit 1; }
same "report of $shares shards on 2 workers, one of which was killed, merged" one.report merged.report
same "what is filtered out of $blocks" one.out blocks.out
