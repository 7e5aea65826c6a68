#!/usr/bin/env bash
# ssh-config 5.3.0 (npm) never applies a negated criterion of `Match`.
# Guess: `Match !host y` applies to x, as in OpenSSH (9.2). Seen: it applies to no host.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts ssh-config@5.3.0 >/dev/null
cat >run.mjs <<'END'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import SSHConfig from 'ssh-config'
const text = 'Match !host y\n  User other\n'
writeFileSync('config', text)
const shown = execFileSync('ssh', ['-G', '-F', 'config', 'x'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
console.log('library:', SSHConfig.parse(text).compute('x').User)
console.log('ssh applies it:', shown.includes('user other'))
END
seen=$(node run.mjs)
expected=$(
  cat <<'END'
library: undefined
ssh applies it: true
END
)
echo "$seen"
[[ $seen == "$expected" ]] || {
  echo "The behavior has changed. Expected:"
  echo "$expected"
  exit 1
}
