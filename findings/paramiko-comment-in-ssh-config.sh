#!/usr/bin/env bash
# paramiko 2.12.0 (Debian 12) takes a comment at the end of a line of ssh_config as part of the value.
# Guess: `User bob # admin` means bob, as in OpenSSH (9.2). Seen: the user is "bob # admin", so signing in fails.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-paramiko=2.12.0-2 python3-nacl python3-bcrypt python3-cryptography python3-cffi-backend 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
printf 'Host x\n  User bob # admin\n' >config
seen=$(
  PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 -W ignore -c \
    "import paramiko; print('paramiko:', paramiko.SSHConfig.from_path('config').lookup('x')['user'])"
  ssh -G -F config x </dev/null 2>/dev/null | sed -n 's/^user /ssh: /p'
)
expected=$(
  cat <<'END'
paramiko: bob # admin
ssh: bob
END
)
echo "$seen"
[[ $seen == "$expected" ]] || {
  echo "The behavior has changed. Expected:"
  echo "$expected"
  exit 1
}
