#!/usr/bin/env bash
# Goes through the checklist of a release, from a fresh clone of what is committed: versions, changelog, documents, types, style, tests, two builds with the
# same bytes, content, publint, @arethetypeswrong/cli, bill of materials, licences, and what `npm publish` would do. It publishes nothing: that is for
# .github/workflows/release.yml, which runs this before, and goes on only if nothing is left to do.
#
#   scripts/release.sh [--without-tests]                fails if anything is wrong, or left to do
#   scripts/release.sh --dry-run [--without-tests]      what only a person can decide may be "to do"; all else must be right
#
# Needs git and npm with its registry.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
dry='' tests=1
for flag; do
  case $flag in
    --dry-run) dry=1 ;;
    --without-tests) tests='' ;;
    *) echo "there is no flag $flag; there are --dry-run and --without-tests" >&2; exit 2 ;;
  esac
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
faults=0 todo=0

ok() { echo "ok      $1"; }
fault() { echo "FAULT   $1"; faults=$((faults + 1)); }
todo() { echo "to do   $1"; todo=$((todo + 1)); }
# NAME COMMAND...: it ends with 0; else the end of what it prints is shown, and the tests that failed.
check() {
  local name=$1
  shift
  if "$@" > "$work/log" 2>&1; then ok "$name"; else fault "$name"; grep -a ' FAIL ' "$work/log" || :; tail -n 30 "$work/log"; fi
}
field() { node -p "require('$root/package.json').$1 ?? ''"; }

# 1. What is said of the version.
version=$(field version)
[ -z "$(git status --porcelain)" ] || todo 'commit all changes: only what is committed is checked'
for pair in "package-lock.json:\"version\": \"$version\"" "README.md:paylint-$version.tgz" \
  "docs/guides/ci.md:rev: v$version" "docs/guides/ci.md:OWNER/paylint@v$version" "docs/guides/ci.md:paylint@$version"; do
  if grep -qF -- "${pair#*:}" "${pair%%:*}"; then ok "${pair%%:*} has version $version"; else fault "${pair%%:*}: ${pair#*:} is missing"; fi
done
if grep -qE "^## \[$version\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md; then ok 'the changelog has a section for the version, with its date'
else todo "CHANGELOG.md: make \"Unreleased\" the section \"## [$version] - YYYY-MM-DD\", with a new one above it"; fi
address=$(field 'repository?.url')
if [ -n "$address" ]; then
  ok "the repository is $address"
  # shellcheck disable=SC2015 # a fault is counted
  grep -rqF OWNER/paylint docs/guides/ci.md && todo 'docs/guides/ci.md: put the address in the place of OWNER/paylint' || :
else todo 'package.json: set "repository" to { "type": "git", "url": "git+https://…/paylint.git" }; SARIF and npm take the address from there'; fi

if [ -n "$(field homepage)" ]; then ok "the homepage is $(field homepage)"
else todo 'package.json: set "homepage" to the address below which docs/ is; SARIF and the language server lead to the rules there'; fi
if [ -n "$(field bugs)" ]; then ok 'the address for faults'
else todo 'package.json: set "bugs" to the address for faults'; fi
if grep -qF 'An address for private reports is not decided yet' SECURITY.md; then todo 'SECURITY.md: the address for private reports'
else ok 'the address for private reports'; fi

# 2. Two clones, in folders with names of different lengths, give the same package.
build() (git clone -q "$root" "$1" && cd "$1" && "${@:3}" && npm pack --silent --pack-destination "$2" > /dev/null)
linked() { cp -al "$work/one/node_modules" node_modules; }
mkdir "$work/packed" "$work/again"
check 'npm ci, and a build in a fresh clone' build "$work/one" "$work/packed" npm ci --silent
check 'a second build' build "$work/a second clone" "$work/again" linked
package=$work/packed/paylint-$version.tgz
check 'both packages have the same bytes' cmp "$package" "$work/again/paylint-$version.tgz"
cd "$work/one"

# 3. The code and the documents.
check 'types and style' npm run --silent check
if [ -n "$tests" ]; then
  check 'the versions of Node for the tests' npm run --silent nodes
  check 'all tests, those of the documents included' npx --no vitest run
else
  check 'the documents are current (all other tests were left out)' npx --no vitest run test/docs/readme.test.ts test/docs/messages.test.ts test/docs/contributing.test.ts
fi

# 4. The package.
content() {
  tar tzf "$package" | sed 's#^package/##' | sort > "$work/files"
  ! grep -vE '^(\.pre-commit-hooks\.yaml|CHANGELOG\.md|CONTRIBUTING\.md|LICENSE|README\.md|SECURITY\.md|package\.json|(bin|dist|docs|schemas)/.*)$' "$work/files"
}
check 'nothing else is in the package' content
unpacked() { mkdir "$work/unpacked" && tar xzf "$package" -C "$work/unpacked"; }
check 'the package can be unpacked' unpacked
cat > "$work/papers.mjs" <<'END'
import { readFileSync } from 'node:fs';
const read = (name) => readFileSync(`${process.argv[2]}/package/${name}`, 'utf8');
const { scripts = {} } = JSON.parse(read('package.json'));
const bill = JSON.parse(read('dist/sbom.cdx.json'));
if (Object.keys(scripts).length > 0) throw new Error(`it has scripts: ${Object.keys(scripts)}`);
if (bill.specVersion !== '1.6' || bill.components.length < 5) throw new Error('the bill of materials is not one');
for (const { name, group, version, licenses, hashes } of bill.components) {
  const full = group === undefined ? name : `${group}/${name}`;
  const [licence] = licenses.map(({ license, expression }) => license?.id ?? expression);
  if (!/^(MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0)$/.test(licence)) throw new Error(`${full}: licence ${licence}`);
  if (hashes.length === 0) throw new Error(`${full} has no hash`);
  if (!read('dist/LICENSES.txt').includes(`\n${full} ${version} (${licence})\n`)) throw new Error(`${full} is not in LICENSES.txt`);
}
END
check 'no install scripts; every bundled package has a hash and a permissive licence' node "$work/papers.mjs" "$work/unpacked"
tools() { npm install --silent --no-audit --no-fund --prefix "$work/tools" publint@0.3.25 @arethetypeswrong/cli@0.18.5; }
check 'publint and attw are installed' tools
check 'publint finds nothing' "$work/tools/node_modules/.bin/publint" --strict "$package"
check 'attw finds nothing' "$work/tools/node_modules/.bin/attw" --profile esm-only "$package"
check 'npm publish --dry-run --provenance' npm publish --dry-run --provenance "$package"

echo "$faults faults, $todo to do"
[ "$faults" -eq 0 ] || exit 1
[ -z "$dry" ] || exit 0
[ "$todo" -eq 0 ] || { echo 'not to be published: there is something to do' >&2; exit 1; }
