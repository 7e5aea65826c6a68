#!/usr/bin/env bash
# parse-prometheus-text-format 1.1.1 (npm) keeps one series of a histogram with labels, without its sum and count.
# Guess: one entry per combination of labels. Seen: the buckets of the last series replace the others, under no label.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts parse-prometheus-text-format@1.1.1 >/dev/null
cat >run.mjs <<'END'
import parse from 'parse-prometheus-text-format'
const series = (gpu, count) =>
  ['0.1', '+Inf'].map((bound) => `wait_bucket{gpu="${gpu}",le="${bound}"} ${count}\n`).join('') +
  `wait_sum{gpu="${gpu}"} 3\nwait_count{gpu="${gpu}"} ${count}\n`
console.log(JSON.stringify(parse(`# TYPE wait histogram\n${series(0, 2)}${series(1, 7)}`)[0].metrics))
END
seen=$(node run.mjs)
expected=$(
  cat <<'END'
[{"buckets":{"0.1":"7","+Inf":"7"}}]
END
)
echo "$seen"
[[ $seen == "$expected" ]] || {
  echo "The behavior has changed. Expected:"
  echo "$expected"
  exit 1
}
