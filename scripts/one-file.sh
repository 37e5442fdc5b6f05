#!/usr/bin/env bash
# Makes one file of Node and the package, which runs where there is no Node, and tries it alone in an empty folder: every verb and format, threads included.
# `scripts/matrix.sh one-file` compares it with Node.
#
#   scripts/one-file.sh [FILE]      ./paylint unless given
#
# Needs npm and its registry for Node 26.10, the first that has all it takes: `--build-sea` with a virtual file system, which is experimental. The file is for
# this platform.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=$(realpath -m "${1:-paylint}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
node=$(node --input-type=module -e 'import { installNode } from "'"$root"'/scripts/nodes.js"; console.log(installNode("26.10.0"))' | tail -n 1)
(cd "$root" && npm pack --silent --pack-destination "$work" > /dev/null)
tar xzf "$work"/paylint-*.tgz -C "$work"
cd "$work/package"
rm -rf docs dist/types # nothing that runs

# The files of the package are in a virtual file system, which Node mounts in the main thread only. A thread makes one of its own.
cat > one-file.cjs <<'END'
const threads = require('node:worker_threads');
const THREAD = `
  const { dirname, join } = require('node:path');
  const { getAssetKeys, getRawAsset } = require('node:sea');
  const files = require('node:vfs').create();
  for (const key of getAssetKeys()) {
    files.mkdirSync('/' + dirname(key), { recursive: true });
    files.writeFileSync('/' + key, Buffer.from(getRawAsset(key)));
  }
  files.mount();
  require(join(files.mountPoint, 'bin/thread.js'));`;
threads.Worker = class extends threads.Worker {
  constructor(_, options) {
    super(THREAD, { ...options, eval: true });
  }
};
require('./bin/paylint.js');
END
cat > sea.mjs <<'END'
import { readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
const files = readdirSync('.', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const names = files.map(({ parentPath, name }) => relative('.', join(parentPath, name))).filter((name) => !/^(one-file.cjs|sea.)/.test(name)).sort();
writeFileSync('sea.json', JSON.stringify({
  main: 'one-file.cjs',
  output: 'paylint',
  useVfs: true,
  disableExperimentalSEAWarning: true,
  execArgv: ['--experimental-vfs', '--disable-warning=ExperimentalWarning'],
  assets: Object.fromEntries(names.map((name) => [name, name])),
}));
END
"$node" sea.mjs
"$node" --build-sea sea.json > /dev/null

# Alone: an empty folder, and no Node on the PATH.
mkdir "$work/alone"
mv paylint "$work/alone"
cp "$root/docs/examples/"* "$root/docs/age"* "$root/docs/drafts/comment.json" "$work/alone"
cd "$work/alone"
"$node" "$root/bench/generate.js" --kind content --size 20m --invalid-every 1000 --out large.ndjson > /dev/null
fail() { echo "NOT as expected: $1" >&2; exit 1; }
# CODE TEXT ARGUMENT...: the exit code, and what the output has.
expect() {
  local code=0
  env -i PATH=/nowhere "$work/alone/paylint" "${@:3}" > out 2> err < /dev/null || code=$?
  cat out err > both
  [ "$code" -eq "$1" ] && grep -qF -- "$2" both || { head -c 1000 both; fail "exit code $code instead of $1, or no \"$2\": ${*:3}"; }
  echo "exit code $code: ${*:3}"
}
expect 1 '✗ 3 violations in 1 payload' validate contract.json
for format in pretty line json ndjson github gitlab sarif junit; do expect 1 minLength validate contract.json --format "$format"; done
expect 1 '' validate contract.json --format html=page.html
grep -q 'x-paylint+gzip' page.html || fail 'the page'
expect 1 '' validate large.ndjson --threads 1 --format ndjson=alone
expect 1 '' validate large.ndjson --threads 3 --format ndjson=shared
diff <(sed 's/"elapsedMs":[0-9]*//' alone) <(sed 's/"elapsedMs":[0-9]*//' shared) > /dev/null || fail 'threads say something else'
# A thread with a large stack examines it.
node -e 'console.log(`{"@type":"Emoji","emoji":"x","deep":${"[".repeat(900)}${"]".repeat(900)}}`)' > deep.json
node "$root/bin/paylint.js" validate deep.json --format line > deep.out || :
expect 1 "$(head -n 1 deep.out)" validate deep.json --format line
expect 1 minLength validate contract.json --watch
[ ! -s err ] || fail 'the end of --watch'
expect 1 minItems validate --schema ages.schema.json ages.json
expect 0 'filled 4 members' fill comment.json --deep --write
expect 1 '"removed"' prune inbox.ndjson --format json
expect 1 '' filter inbox.ndjson --rejects rejects --reasons reasons
expect 1 unknown-kind render reasons --format line
expect 1 '2 of 5 payloads break' compare --schema "$root/docs/orders/v2.schema.json" --against "$root/docs/orders/v1.schema.json" "$root/docs/orders/orders.ndjson"
expect 0 '10 of 10 places reached' coverage --schema "$root/docs/orders/v2.schema.json" "$root/docs/orders/orders.ndjson"
expect 1 '1 of 3 tests fail' test "$root/docs/orders"
expect 1 '[' convert inbox.ndjson --to json
expect 0 contract kinds
expect 0 minLength explain
expect 0 'complete -c paylint' completion fish
expect 0 "$(node -p "require('$root/package.json').version")" --version
expect 2 'missing.json' validate missing.json
env -i PATH=/nowhere "$node" "$root/scripts/lsp-session.js" contract.json "$work/alone/paylint" lsp > out ||
  fail 'the language server'
grep -q '"code":"minLength"' out || fail 'its diagnostics'
echo 'exit code 0: lsp'
mv paylint "$target"
echo "$target: $(du -m "$target" | cut -f 1) MB"
