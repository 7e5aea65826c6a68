#!/usr/bin/env bash
# ssh2 1.17.0 (npm) cannot read unencrypted PKCS #8 keys (`BEGIN PRIVATE KEY`), which ssh-keygen -m PKCS8 writes.
# Guess: what ssh (9.2) signs in with, ssh2 reads too. Seen: "Unsupported key format"; the older PEM format works.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts ssh2@1.17.0 >/dev/null
cat >run.mjs <<'END'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import ssh2 from 'ssh2'
for (const format of ['PEM', 'PKCS8']) {
  const file = `key-${format}`
  execFileSync('ssh-keygen', ['-q', '-t', 'ecdsa', '-N', '', '-m', format, '-f', file])
  const key = ssh2.utils.parseKey(readFileSync(file))
  console.log(`${format}: ${key instanceof Error ? key.message : key.type}`)
}
END
seen=$(node run.mjs)
expected=$(
  cat <<'END'
PEM: ecdsa-sha2-nistp256
PKCS8: Unsupported key format
END
)
echo "$seen"
[[ $seen == "$expected" ]] || {
  echo "The behavior has changed. Expected:"
  echo "$expected"
  exit 1
}
