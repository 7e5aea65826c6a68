#!/usr/bin/env bash
# @lydell/node-pty 1.1.0 (npm) reports a program that does not exist as one that ran and returned 1.
# Guess: spawn throws, or an event names ENOENT. Seen: the reason is printed into the terminal, with exit code 1. The same
# happens with a working directory that does not exist.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @lydell/node-pty@1.1.0 >/dev/null
cat >run.mjs <<'END'
import { spawn } from '@lydell/node-pty'
const result = (file, options) =>
  new Promise((resolve) => {
    let printed = ''
    const terminal = spawn(file, [], options)
    terminal.onData((data) => (printed += data))
    terminal.onExit(({ exitCode }) => setTimeout(() => resolve(`${printed.trim()}, exit code ${exitCode}`), 100))
  })
console.log(await result('/nonexistent/program', {}))
console.log(await result('/bin/true', { cwd: '/nonexistent' }))
END
seen=$(node run.mjs)
expected=$(
  cat <<'END'
execvp(3) failed.: No such file or directory, exit code 1
chdir(2) failed.: No such file or directory, exit code 1
END
)
echo "$seen"
[[ $seen == "$expected" ]] || {
  echo "The behavior has changed. Expected:"
  echo "$expected"
  exit 1
}
