#!/usr/bin/env bash
# rocm-smi 5.2.3 (Debian 12) without the amdgpu driver returns 0 and prints no JSON.
# Guess: a failed reading returns another code, or `--json` prints an empty object. Seen: no output, code 0; the reason is
# on the error output only. A reader that trusts the code takes "no driver" for an unknown answer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq rocm-smi=5.2.3-2 librocm-smi64-1=5.2.3-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
if [[ -e /sys/module/amdgpu ]]; then
  echo "Not run: this computer has the amdgpu driver."
  exit 0
fi
code=0
output=$(LD_LIBRARY_PATH=$(echo root/usr/lib/*-linux-gnu):root/usr/lib python3 root/usr/libexec/rocm_smi/rocm_smi.py --showuse --json 2>errors) || code=$?
seen="output: '$output', code $code, errors: $(grep -o 'Driver not initialized' errors)"
expected=$(
  cat <<'END'
output: '', code 0, errors: Driver not initialized
END
)
echo "$seen"
[[ $seen == "$expected" ]] || {
  echo "The behavior has changed. Expected:"
  echo "$expected"
  exit 1
}
