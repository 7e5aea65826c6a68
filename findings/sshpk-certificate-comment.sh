#!/usr/bin/env bash
# sshpk 1.18.0 (npm) refuses an OpenSSH certificate whose comment contains a space.
# Guess: the comment is free text, as in public keys, which sshpk reads. Seen: "Not a valid SSH certificate line".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts sshpk@1.18.0 >/dev/null
cat >run.mjs <<'END'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import sshpk from 'sshpk'
const keygen = (...args) => execFileSync('ssh-keygen', ['-q', ...args])
keygen('-t', 'ed25519', '-N', '', '-f', 'ca')
for (const [file, comment] of Object.entries({ one: 'laptop', two: 'my laptop' })) {
  keygen('-t', 'ed25519', '-N', '', '-C', comment, '-f', file)
  keygen('-s', 'ca', '-I', 'id', '-n', 'user', `${file}.pub`)
  console.log(comment, 'key:', sshpk.parseKey(readFileSync(`${file}.pub`), 'ssh').comment)
  try {
    const { subjects } = sshpk.parseCertificate(readFileSync(`${file}-cert.pub`, 'utf8'), 'openssh')
    console.log(comment, 'certificate:', String(subjects[0]))
  } catch (error) {
    console.log(comment, 'certificate:', /Not a valid SSH certificate line/.exec(error.message)?.[0])
  }
}
END
seen=$(node run.mjs)
expected=$(
  cat <<'END'
laptop key: laptop
laptop certificate: UID=user
my laptop key: my laptop
my laptop certificate: Not a valid SSH certificate line
END
)
echo "$seen"
[[ $seen == "$expected" ]] || {
  echo "The behavior has changed. Expected:"
  echo "$expected"
  exit 1
}
