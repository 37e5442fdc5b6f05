#!/usr/bin/env bash
# Builds an image of paylint from nothing but node, its libraries and the package, as the Dockerfile says, and tries it: validate, fill --write, standard input, and
# a folder that can only be read. Builds it again, and compares the layers.
#
#   scripts/container.sh [ARCHIVE]      keeps the image in a file for `docker load` or `podman load`
#
# Needs root, Debian's buildah (and runc or crun), and npm. The node that runs npm becomes that of the image. Nothing is fetched.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
buildah() { command buildah --root "$work/store" --runroot "$work/run" --storage-driver vfs "$@"; }
stop() {
  buildah rm --all > /dev/null 2>&1 || :
  rm -rf "$work"
}
trap stop EXIT
fail() { echo "NOT as expected: $1" >&2; exit 1; }

# FOLDER: all files of the image.
make_root() {
  mkdir -p "$1/usr/bin" "$1/usr/lib/node_modules/paylint" "$1/data" "$1/tmp" "$1/etc"
  chmod 1777 "$1/tmp"
  local node library
  node=$(readlink -f "$(command -v node)")
  cp "$node" "$1/usr/bin/node"
  # Each library where the loader finds it, which is named by its absolute path.
  for library in $(ldd "$node" | grep -o '/[^ ]*'); do
    mkdir -p "$1$(dirname "$library")"
    cp -L "$library" "$1$library"
  done
  tar xzf "$work"/paylint-*.tgz -C "$1/usr/lib/node_modules/paylint" --strip-components 1
  printf '#!/usr/bin/node\nrequire("/usr/lib/node_modules/paylint/bin/paylint.js");\n' > "$1/usr/bin/paylint"
  chmod 755 "$1/usr/bin/paylint"
  echo 'paylint:x:65532:65532::/data:' > "$1/etc/passwd"
  chmod -R u=rwX,go=rX "$1/usr" "$1/etc"
}

# NAME: builds the image in a folder of its own, and prints the digests of its layers.
build() {
  mkdir "$work/$1"
  make_root "$work/$1/root"
  buildah build -q --isolation chroot --timestamp 0 -f "$root/Dockerfile" -t "$1" "$work/$1" > /dev/null
  buildah inspect --type image --format '{{.OCIv1.RootFS.DiffIDs}} {{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.WorkingDir}}' "$1"
}

(cd "$root" && npm pack --silent --pack-destination "$work" > /dev/null)
first=$(build paylint)
sleep 1
second=$(build again)
[ "$first" = "$second" ] || fail "two builds: $first, $second"
echo "two builds give the same layer: $first"
[[ $first = *' 65532:65532 [paylint] /data' ]] || fail 'the user, the entry point or the working directory'
echo "size: $(du -sm "$work/paylint/root" | cut -f 1) MB, of which node is $(du -m "$work/paylint/root/usr/bin/node" | cut -f 1) MB"

data=$work/data
mkdir "$data"
cp "$root/docs/examples/contract.json" "$root/docs/drafts/comment.json" "$data"
chmod 755 "$work"
chown -R 65532:65532 "$data"
container=$(buildah from paylint)
# MODE ARGUMENT...: paylint in the container, with the folder of data mounted as rw or ro.
run() { buildah run --isolation chroot -v "$data:/data:$1" "$container" -- paylint "${@:2}"; }
expect() {
  local code=0
  "${@:3}" > "$work/out" 2>&1 || code=$?
  grep -qF "$2" "$work/out" && [ "$code" -eq "$1" ] || { cat "$work/out"; fail "exit code $code instead of $1, or no \"$2\": ${*:4}"; }
  echo "as expected, exit code $code: ${*:4}"
}
echo '{"@context":"c","@type":"Emoji","emoji":"x"}' > "$data/good.json"
expect 0 '1 payload valid' run rw validate good.json
expect 1 'contract.json:5:16: minLength' run rw validate --format line .
expect 1 '<testsuites' run rw validate --threads 2 --format junit contract.json --format pretty=report.txt --format html=page.html
grep -q minLength "$data/report.txt" || fail 'the report'
expect 0 'filled 4 members in 1 file' run rw fill --write comment.json
expect 0 '1 payload valid' run ro validate good.json
expect 2 'contract.json' run ro fill --write contract.json
[ "$(run rw validate --format line - < "$data/good.json" | grep -c 'payload valid')" -eq 1 ] || fail 'standard input'
echo 'as expected: validate - with standard input'
id=$(buildah run --isolation chroot "$container" -- node -p 'process.getuid()')
[ "$id" = 65532 ] || fail "the user is $id"
echo "the user in it is $id"
if [ -n "${1-}" ]; then buildah push -q paylint "docker-archive:$1:paylint:latest" && echo "kept as $1"; fi
