#!/usr/bin/env bash
# tar 7.5.23 (npm) does not restore sparse files that GNU tar (1.34, -S) archived, such as disk images, and reports nothing.
# Guess: an unsupported entry is an error or a warning. Seen: in the gnu format the file is missing; in the pax format the
# map of the file is unpacked under another name. No warning in either case.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts tar@7.5.23 >/dev/null
cat >run.mjs <<'END'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import * as tar from 'tar'
execFileSync('truncate', ['-s', '2M', 'disk.img'])
execFileSync('sh', ['-c', 'printf end | dd of=disk.img bs=1 seek=1048576 conv=notrunc status=none'])
for (const format of ['gnu', 'pax']) {
  execFileSync('tar', ['-S', `--format=${format}`, '-cf', `${format}.tar`, 'disk.img'])
  mkdirSync(format)
  let warnings = 0
  await tar.x({ file: `${format}.tar`, cwd: format, onwarn: () => (warnings += 1) })
  const names = readdirSync(format, { recursive: true }).map((name) => name.replace(/\.\d+/, '.PID'))
  console.log(`${format}: ${JSON.stringify(names)}, ${warnings} warnings`)
}
END
seen=$(node run.mjs)
expected=$(
  cat <<'END'
gnu: [], 0 warnings
pax: ["GNUSparseFile.PID","GNUSparseFile.PID/disk.img"], 0 warnings
END
)
echo "$seen"
[[ $seen == "$expected" ]] || {
  echo "The behavior has changed. Expected:"
  echo "$expected"
  exit 1
}
