#!/usr/bin/env bash
# @xterm/addon-serialize 0.14.0 (npm) turns a hyperlink (OSC 8) into underlined text without its address.
# Guess: the serialized text contains the address. Seen: only an underline remains.
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

const terminal = open()
const addon = new serialize.SerializeAddon()
terminal.loadAddon(addon)
await write(terminal, '\x1b]8;;http://127.0.0.1:8888/\x1b\\Jupyter\x1b]8;;\x1b\\')
console.log(JSON.stringify(addon.serialize()))
END
seen=$(node run.mjs)
expected=$(
  cat <<'END'
"\u001b[4mJupyter\u001b[0m"
END
)
echo "$seen"
[[ $seen == "$expected" ]] || {
  echo "The behavior has changed. Expected:"
  echo "$expected"
  exit 1
}
