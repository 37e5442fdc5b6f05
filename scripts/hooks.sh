#!/usr/bin/env bash
# Runs the snippets of docs/guides/ci.md for pre-commit, lefthook, husky and lint-staged as they are written, in repositories of their own. Shows that each
# fills what is missing, stops what is invalid, passes what is valid, and is not upset by a file without payloads.
#
#   scripts/hooks.sh
#
# Needs git, pre-commit (of Debian or PyPI), and npm with its registry. It builds the package, and installs everything into a temporary folder.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work/home GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.com GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.com
export NPM_CONFIG_UPDATE_NOTIFIER=false
mkdir "$HOME"
(cd "$root" && npm pack --silent --pack-destination "$work" > /dev/null)

# FILE: the block of docs/guides/ci.md below the line with its name.
block() { awk -v name="\`$1\`:" '$0 == name { found = 1 } found && /^```$/ { exit } inside { print } found && /^```./ { inside = 1 }' "$root/docs/guides/ci.md"; }

# NAME PACKAGE...: a project in $work/NAME that has paylint and these packages.
project() {
  mkdir -p "$work/$1/payloads" && cd "$work/$1" && shift
  git init -q
  echo '{ "private": true }' > package.json
  echo node_modules/ > .gitignore
  npm install --silent --no-audit --no-fund --save-dev "$work"/paylint-*.tgz "$@"
}

valid='{"@context":"c","@type":"Emoji","emoji":"x"}'
fillable=$(head -n 1 "$root/fixtures/contract/valid/name.ndjson" | sed 's/"active":[a-z]*,//')
filled='"active":false'

# NAME: what every hook does. RESTAGE is set if what was filled has to be staged by hand.
try() {
  git add . && git commit -qm setup > "$work/out" 2>&1 || { cat "$work/out"; fail "$1: the set-up"; }
  : > payloads/empty.ndjson
  echo "$valid" > payloads/a.json
  git add . && git commit -qm valid > "$work/out" 2>&1 || { cat "$work/out"; fail "$1: valid"; }
  mkdir payloads/deep
  for name in payloads/a.json payloads/deep/a.json; do
    echo '{"@context":"c","@type":"Emoji","emoji":1}' > $name
    git add . && if git commit -qm invalid > "$work/out" 2>&1; then fail "$1: invalid $name"; fi
    grep -q "expected a string, found 1" "$work/out" || { cat "$work/out"; fail "$1: what is invalid in $name"; }
    git checkout -qf HEAD -- . && git reset -q --hard
  done
  echo "$fillable" > payloads/a.json
  git add .
  if [ -n "${RESTAGE-}" ]; then
    if git commit -qm filled > "$work/out" 2>&1; then fail "$1: fill changed a file, and passed"; fi
    git add .
  fi
  git commit -qm filled > "$work/out" 2>&1 || { cat "$work/out"; fail "$1: filled"; }
  git show HEAD:payloads/a.json | grep -q "$filled" || fail "$1: what is filled in"
  echo "$1: fills, stops, passes"
}
fail() { echo "$1: NOT as expected" >&2; exit 1; }

git clone -q "$root" "$work/repository"
git -C "$work/repository" tag -f v0.1.0 > /dev/null
project pre-commit
block .pre-commit-config.yaml | sed "s#https://github.com/OWNER/paylint#$work/repository#" > .pre-commit-config.yaml
pre-commit install > /dev/null
RESTAGE=1 try pre-commit

project lefthook lefthook@2.2.2
block lefthook.yml > lefthook.yml
npx --no lefthook install > /dev/null
try lefthook

project husky husky@9.1.7 lint-staged@16.4.0
block .lintstagedrc.json > .lintstagedrc.json
npx --no husky > /dev/null
block .husky/pre-commit > .husky/pre-commit
try 'husky and lint-staged'
