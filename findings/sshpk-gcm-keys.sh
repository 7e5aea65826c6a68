#!/usr/bin/env bash
# sshpk 1.18.0 (npm) cannot read OpenSSH keys encrypted with AES-GCM (`ssh-keygen -Z aes256-gcm@openssh.com`).
# Guess: every cipher that ssh-keygen (9.2) offers for keys is read. Seen: the authentication tag after the key counts as
# excess bytes, although the passphrase is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts sshpk@1.18.0 >/dev/null
cat >run.mjs <<'END'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import sshpk from 'sshpk'
for (const cipher of ['aes256-ctr', 'aes256-gcm@openssh.com']) {
  const file = `key-${cipher}`
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'passphrase', '-Z', cipher, '-f', file])
  try {
    const { type } = sshpk.parsePrivateKey(readFileSync(file), 'openssh', { passphrase: 'passphrase' })
    console.log(`${cipher}: ${type}`)
  } catch (error) {
    console.log(`${cipher}: ${/excess bytes left after key/.exec(error.message)?.[0]}`)
  }
}
END
seen=$(node run.mjs)
expected=$(
  cat <<'END'
aes256-ctr: ed25519
aes256-gcm@openssh.com: excess bytes left after key
END
)
echo "$seen"
[[ $seen == "$expected" ]] || {
  echo "The behavior has changed. Expected:"
  echo "$expected"
  exit 1
}
