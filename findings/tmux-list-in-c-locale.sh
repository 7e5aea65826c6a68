#!/usr/bin/env bash
# tmux 3.3a (Debian 12) prints a tab of its own format as `_` in the C locale, where sessions of bare machines run.
# Guess: `-F` with a tab between fields can be split at tabs. Seen: only with -u or a UTF-8 locale; otherwise tabs and all
# letters outside ASCII become underscores, and fields cannot be told apart.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq tmux=3.3a-3 libevent-core-2.1-7 libutempter0 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
export TMUX_TMPDIR=$folder LD_LIBRARY_PATH LC_ALL=C
LD_LIBRARY_PATH=$(echo root/usr/lib/*-linux-gnu):$(echo root/lib/*-linux-gnu)
tmux() { root/usr/bin/tmux -f /dev/null "$@"; }
tmux -u new-session -d -s café sleep 60
format=$(printf '#{session_name}\t#{session_windows}')
seen=$(
  echo "plain: $(tmux list-sessions -F "$format" | tr '\t' '>')"
  echo "with -u: $(tmux -u list-sessions -F "$format" | tr '\t' '>')"
)
tmux kill-server
expected=$(
  cat <<'END'
plain: caf__1
with -u: café>1
END
)
echo "$seen"
[[ $seen == "$expected" ]] || {
  echo "The behavior has changed. Expected:"
  echo "$expected"
  exit 1
}
