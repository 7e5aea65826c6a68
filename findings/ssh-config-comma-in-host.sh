#!/usr/bin/env bash
# ssh-config 5.3.0 (npm) splits `Host` patterns at commas; OpenSSH (9.2) takes a comma as part of the name.
# Guess: both select the same hosts. Seen: the library applies `Host x,y` to x, which ssh does not.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts ssh-config@5.3.0 >/dev/null
cat >run.mjs <<'END'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import SSHConfig from 'ssh-config'
const text = 'Host x,y\n  User shared\n'
writeFileSync('config', text)
const shown = execFileSync('ssh', ['-G', '-F', 'config', 'x'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
console.log('library:', SSHConfig.parse(text).compute('x').User)
console.log('ssh applies it:', shown.includes('user shared'))
END
seen=$(node run.mjs)
expected=$(
  cat <<'END'
library: shared
ssh applies it: false
END
)
echo "$seen"
[[ $seen == "$expected" ]] || {
  echo "The behavior has changed. Expected:"
  echo "$expected"
  exit 1
}
