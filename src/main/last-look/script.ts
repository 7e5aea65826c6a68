import { largeFile, type LookBefore, lookTitle } from '#shared/bridge/last-look'

/** Bytes of the output of one tool that are read. */
const maxToolBytes = { list: 65_536, git: 8_388_608 } as const

/** Limits of the script, and places that it reads besides the home folder. Tests use others. */
interface LookScope {
  /** Seconds in which the script finishes. Later commands are skipped and reported. */
  readonly seconds: number
  readonly mounts: string
  /** Pattern of the places of the system below which a mounted disk is not searched, but reported. */
  readonly systemMounts: string
  /** Pattern of the folders of the root directory, and of other homes. */
  readonly folders: string
}
const ordinaryScope: LookScope = {
  seconds: 8,
  mounts: '/proc/mounts',
  systemMounts: '/etc/* | /run/* | /usr/* | /var/lib/*',
  folders: '/home/* /*',
}

/** Folders of the system, which are not searched. `/home` and `/media` are searched by their entries. */
const systemFolders =
  '/bin | /boot | /cdrom | /dev | /etc | /home | /lib* | /lost+found | /media | /nix | /opt | /proc | /root | /run | /sbin | /snap | /srv | /sys | /tmp | /usr | /var'
const blocks = Math.ceil(largeFile.bytes / 512)

const prepare = (seconds: number): string => `LC_ALL=C; GIT_NO_LAZY_FETCH=1; GIT_TERMINAL_PROMPT=0
export LC_ALL GIT_NO_LAZY_FETCH GIT_TERMINAL_PROMPT
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
deadline=$(($(date +%s) + ${seconds}))
has() { command -v "$1" >/dev/null 2>&1; }
limited() {
  left=$((deadline - $(date +%s)))
  [ "$left" -gt 0 ] || return 124
  if has timeout; then timeout "$left" "$@"; else "$@"; fi
}
tool() {
  name=$1; shift
  echo "tool $name"
  { limited "$@" 2>&1; printf '\\nexit %s\\n' "$?"; } </dev/null | head -c ${maxToolBytes.list} | tr -d '\\000' | sed "s/^/$name /"
}`

const running = `gpu_programs() {
  if has nvidia-smi; then tool gpus nvidia-smi --query-compute-apps=pid --format=csv,noheader
  elif [ -e /dev/nvidiactl ]; then echo "gap gpus not-installed"; fi
  [ -d /sys/class/kfd/kfd/proc ] || return
  echo "tool gpus"
  for entry in /sys/class/kfd/kfd/proc/*; do [ ! -e "$entry" ] || echo "gpus \${entry##*/}"; done
  echo "gpus exit 0"
}
for runner in "$HOME"/.cache/wheelhouse/jobs/*/runner; do
  job=\${runner%/*}
  [ -f "$runner" ] && [ ! -s "$job/code" ] && read -r pid began boot at <"$runner" || continue
  [ "$boot" = "$(cat /proc/sys/kernel/random/boot_id)" ] && kill -0 "$pid" 2>/dev/null || continue
  printf 'job %s %s\\n' "\${job##*/}" "$(head -c 2000 "$job/command" | tr '\\000-\\037' ' ')"
done
apps=$(gpu_programs)
printf '%s\\n' "$apps"
pids=$(printf '%s\\n' "$apps" | sed -n 's/^gpus \\([0-9][0-9]*\\)$/\\1/p' | sort -u | head -n 200 | tr '\\n' ',')
[ -z "$pids" ] || tool program ps -ww -o pid= -o user= -o etimes= -o args= -p "\${pids%,}"
for socket in "\${TMUX_TMPDIR:-/tmp}/tmux-$(id -u)"/*; do
  [ -S "$socket" ] || continue
  if has tmux; then tool tmux tmux -S "$socket" list-sessions -F '=#{session_name}'; else echo "gap tmux not-installed"; fi
done
if [ -d "\${SCREENDIR:-/run/screen/S-$(id -un)}" ] || [ -d "$HOME/.screen" ]; then
  if has screen; then tool screen screen -ls; else echo "gap screen not-installed"; fi
fi`

const disks = ({ mounts, systemMounts, folders }: LookScope): string => `newline='
'
counted() {
  key=$1 at=$2; shift 2
  { limited git --no-optional-locks -c core.fsmonitor=false -C "$at" "$@" </dev/null 2>&1; printf '\\nexit %s\\n' "$?"; } |
    head -c ${maxToolBytes.git} | awk -v key="$key" '
      NF { if (!lines++) first = substr($0, 1, 200); last = $0 }
      END { print key, (last ~ /^exit [0-9]+$/ ? substr(last, 6) : "long"), lines - 1, first }'
}
# A clone in which nobody committed: its tags and its detached commit came from elsewhere.
is_untouched() {
  [ -r "$1" ] && awk -F '\\t' '$NF !~ /^(clone|checkout|reset|fetch)|: Fast-forward/ { touched = 1 } END { exit touched }' "$1"
}
repository() {
  echo "repository $1"
  has git || { echo "changes 127 0 not-installed"; return; }
  if is_untouched "$1/.git/logs/HEAD"; then
    counted unpushed "$1" rev-list --count --branches --not --remotes
    echo 'tagged 0 1 0'
  else
    counted unpushed "$1" rev-list --count --exclude=refs/stash --exclude='refs/tags/*' --all --not --remotes
    counted tagged "$1" rev-list --count --tags --not --exclude=refs/stash --exclude='refs/tags/*' --all
  fi
  if [ "$2" = bare ]; then printf '%s\\n' 'changes 0 0' 'stashes 0 0'; return; fi
  counted changes "$1" status --porcelain
  counted stashes "$1" stash list
}
found() {
  case $1 in
    */.git) repository "\${1%/.git}" tree ;;
    *.git) if [ -f "$1/HEAD" ] && [ -d "$1/objects" ]; then repository "$1" bare; else echo "gap files odd-name"; fi ;;
    *) limited stat -c 'file %s %Y %n' "$1" 2>/dev/null || echo "gap files odd-name" ;;
  esac
}
search() {
  echo "place $1"
  { limited find -H "$2" -xdev \\( -name "*$newline*" -exec echo odd-name \\; -prune \\) -o \\( -name '*.git' -print -prune \\) -o \\( -type f -size +${blocks} -mtime -${largeFile.days} -print \\) 2>&1
    printf '\\nexit %s\\n' "$?"; } </dev/null | while IFS= read -r line; do
    [ "$(date +%s)" -lt "$deadline" ] || { echo "gap files out-of-time"; break; }
    case $line in
      '' | 'exit 0' | 'exit 1') ;;
      'exit 124') echo "gap files out-of-time" ;;
      /*) found "$line" ;;
      find:*) echo "gap files $line" ;;
      exit*) echo "gap files cut-off" ;;
      *) echo "gap files odd-name" ;;
    esac
  done
}
mounts() {
  while read -r device folder type rest; do
    case $device in
      /dev/loop*) continue ;;
      /dev/*) ;;
      *) case $type in zfs | nfs* | cifs | virtiofs | ceph | lustre | fuse.*) ;; *) continue ;; esac ;;
    esac
    folder=$(printf '%b' "$folder")
    case $folder in / | /boot | /boot/* | /dev/* | /proc/* | /sys/* | /snap/*) continue ;; esac
    if is_system "$folder"; then case "$device $type \${rest%%[, ]*}" in "$root "* | *' fuse.'* | *' ro') continue ;; esac; fi
    if [ "$type" = zfs ] && is_installed "$device" "$folder"; then continue; fi
    [ -e "$folder" ] && [ ! -d "$folder" ] || printf '%s\\n' "$folder"
  done <${mounts}
}
is_system() { case $1 in ${systemMounts}) ;; *) return 1 ;; esac; }
is_system_folder() {
  case $1 in /home/* | /media/*) return 1 ;; esac
  top=\${1#/}
  case /\${top%%/*} in
    ${systemFolders}) ;;
    *) return 1 ;;
  esac
}
# Datasets that an installer creates for folders of the system, below the dataset of the root.
is_installed() {
  case $2 in "$HOME"/*) return 1 ;; esac
  case "$1 $2" in
    "$root$2 $2" | */USERDATA/root_*' /root') is_system_folder "$2" ;;
    "$root/"*) is_system "$2" ;;
    *) return 1 ;;
  esac
}
root=$(awk '$2 == "/" { device = $1 } END { print device }' ${mounts})
mounted=$(mounts)
is_mounted() { printf '%s\\n' "$mounted" | grep -qxF -e "$1"; }
search own "$HOME"
for folder in ${folders}; do
  if is_system_folder "$folder"; then continue; fi
  [ -d "$folder" ] && [ ! -h "$folder" ] && [ "$folder" != "$HOME" ] || continue
  is_mounted "$folder" || search own "$folder"
done
printf '%s\\n' "$mounted" | while IFS= read -r folder; do
  [ -n "$folder" ] && [ "$folder" != "$HOME" ] || continue
  if is_system "$folder"; then echo "gap files not-searched $folder"; else search "mount $folder" "$folder"; fi
done`

/** Returns the script for /bin/sh that looks at a machine. It reads only. Its output is parsed by `lookOf`. Pure. */
export function lookScript(before: LookBefore, changes: Partial<LookScope> = {}): string {
  const scope = { ...ordinaryScope, ...changes }
  const parts = before === 'delete' ? [running, disks(scope)] : [running]
  return [lookTitle(before), prepare(scope.seconds), ...parts, 'echo end'].join('\n')
}
