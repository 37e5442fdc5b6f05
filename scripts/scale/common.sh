# Read by the other scripts here: data in a temporary folder, which is removed at the end, and a comparison.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export root
work=$(mktemp -d)
# What a script starts, it stops in its own function of this name.
stop() { :; }
trap 'stop; rm -rf "$work"' EXIT
cd "$work"

# Other processes need a file, not a function.
cat > "$work/paylint" <<END
#!/bin/sh
exec "$(command -v node)" "$root/bin/paylint.js" "\$@"
END
chmod +x "$work/paylint"
PATH=$work:$PATH

# This many megabytes of the payloads of the benchmark, 1 in 100 invalid, and a line that is cut off: as one file, all.ndjson, and as FILES files
# of whole lines in the folder `in`.
make_data() {
  node "$root/bench/generate.js" --kind content --size "$1m" --invalid-every 100 --out all.ndjson > /dev/null
  printf '{"@type":"Comm' >> all.ndjson
  mkdir in
  (cd in && split -a 4 -n "l/$2" --additional-suffix=.ndjson ../all.ndjson part-)
}

# NAME FILE FILE: they are equal but for times, or the script fails.
same() {
  diff <(sed 's/"elapsedMs":[0-9]*//' "$2") <(sed 's/"elapsedMs":[0-9]*//' "$3") > /dev/null || { echo "$1: NOT the same"; exit 1; }
  echo "$1: the same"
}

# NAME: a program that the script needs, which Debian keeps where only root looks.
program() { PATH=$PATH:/usr/sbin:/sbin command -v "$1" || { echo "$1 is missing" >&2; exit 1; }; }
