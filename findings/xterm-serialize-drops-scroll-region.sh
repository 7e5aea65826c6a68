#!/usr/bin/env bash
# @xterm/addon-serialize 0.14.0 (npm) loses the scroll region (DECSTBM) that a running program has set.
# Guess: a restored terminal goes on like the original. Seen: later output of a program with a fixed first line (a status
# line of apt or tmux) scrolls that line away in the copy.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @xterm/headless@6.0.0 @xterm/addon-serialize@0.14.0 >/dev/null
cat >run.mjs <<'END'
import headless from '@xterm/headless'
import serialize from '@xterm/addon-serialize'
const open = () => new headless.Terminal({ cols: 20, rows: 6, allowProposedApi: true })
const write = (terminal, text) => new Promise((resolve) => terminal.write(text, resolve))
/** A second terminal with the serialized contents of the first. */
async function copyOf(terminal) {
  const addon = new serialize.SerializeAddon()
  terminal.loadAddon(addon)
  const copy = open()
  await write(copy, addon.serialize())
  return copy
}
const topLine = ({ buffer }) => buffer.active.getLine(buffer.active.baseY).translateToString(true)

const terminal = open()
await write(terminal, 'status\r\n1\r\n2\r\n3\r\n4\r\n5\x1b[2;6r\x1b[6;1H')
const copy = await copyOf(terminal)
for (const each of [terminal, copy]) await write(each, 'one\r\ntwo\r\n')
console.log('original:', topLine(terminal))
console.log('copy:', topLine(copy))
END
seen=$(node run.mjs)
expected=$(
  cat <<'END'
original: status
copy: 2
END
)
echo "$seen"
[[ $seen == "$expected" ]] || {
  echo "The behavior has changed. Expected:"
  echo "$expected"
  exit 1
}
