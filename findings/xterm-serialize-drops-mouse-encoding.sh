#!/usr/bin/env bash
# @xterm/addon-serialize 0.14.0 (npm) restores mouse tracking (mode 1003) without its SGR encoding (mode 1006).
# Guess: both modes are restored. Seen: only tracking is, so the program gets clicks in an encoding that it did not choose,
# which cannot express columns beyond 223.
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
await write(terminal, '\x1b[?1003h\x1b[?1006h')
console.log(JSON.stringify(addon.serialize()))
END
seen=$(node run.mjs)
expected=$(
  cat <<'END'
"\u001b[?1003h"
END
)
echo "$seen"
[[ $seen == "$expected" ]] || {
  echo "The behavior has changed. Expected:"
  echo "$expected"
  exit 1
}
