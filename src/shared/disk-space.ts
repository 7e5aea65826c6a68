/** Upper bound on the disks that one reading measures. */
const maxDisks = 20

/**
 * Script that prints the space of `/` and other local disks by `df`. It leaves out mounts of one device after
 * the first, read-only ones, files, `/boot`, and file systems in memory, of images or over a network, which may hang. In
 * POSIX sh.
 */
export const diskSpaceScript = `( set -- /; seen=; while read -r device folder type rest; do case $type in ext[234]|xfs|btrfs|zfs|f2fs|jfs|bcachefs) ;; *) continue;; esac; case "$rest" in ro,*|ro\\ *) continue;; esac; case "$folder" in /|/boot|/boot/*|*\\\\*) continue;; esac; case " $seen " in *" $device "*) continue;; esac; [ -d "$folder" ] || continue; [ $# -lt ${String(maxDisks)} ] || break; seen="$seen $device"; set -- "$@" "$folder"; done </proc/mounts; df -Pk "$@" 2>/dev/null )`
