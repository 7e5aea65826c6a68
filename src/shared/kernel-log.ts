/**
 * Script that prints "readable" and the last lines of the kernel about failed GPU work (Xid), by dmesg or the journal. It
 * prints nothing if this user may read neither, or if both are empty. In POSIX sh.
 */
export const kernelLogScript =
  'for log in dmesg "journalctl -k -b -q -n 5000 -o short-monotonic --no-pager"; do [ -n "$(LC_ALL=C $log 2>/dev/null | tail -n 1)" ] || continue; echo readable; LC_ALL=C $log 2>/dev/null | grep "NVRM: Xid" | tail -n 20; break; done'
