#!/usr/bin/env bash
# libsql 0.5.29 (npm) binds every JavaScript number as REAL; bind a BigInt for integer arithmetic in SQL.
# Guess: 5 is bound as INTEGER, so 5 / 2 is 2, as with a literal. Seen: typeof is real and 5 / 2 is 2.5.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts libsql@0.5.29 >/dev/null
cat >run.mjs <<'END'
import Database from 'libsql'
const database = new Database(':memory:')
const row = database.prepare('SELECT typeof(?1) AS type, ?1 / 2 AS half, 5 / 2 AS literal, ?2 / 2 AS big').get(5, 5n)
console.log(`number: ${row.type}, 5 / 2 = ${row.half}; literal: ${row.literal}; BigInt: ${row.big}`)
END
seen=$(node run.mjs)
expected=$(
  cat <<'END'
number: real, 5 / 2 = 2.5; literal: 2; BigInt: 2
END
)
echo "$seen"
[[ $seen == "$expected" ]] || {
  echo "The behavior has changed. Expected:"
  echo "$expected"
  exit 1
}
