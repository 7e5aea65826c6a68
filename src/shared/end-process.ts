import { z } from 'zod'

/** Signals that end a process: a request (TERM), which the process may ignore, and force (KILL). */
const EndSignal = z.enum(['TERM', 'KILL'])

/** A process to end, as it was listed. */
export const EndRequest = z.object({
  pid: z.int().min(0).max(2_147_483_647),
  /** Start time in clock ticks since the machine booted (proc_pid_stat(5), field 22). */
  start: z.string().regex(/^\d{1,20}$/),
  user: z.string().regex(/^[\w.@+-]{1,64}$/),
  signal: EndSignal,
})
export type EndRequest = z.infer<typeof EndRequest>

/**
 * Why no signal was sent. `init`: PID 1. `session`: the connection itself needs the process. `changed`: another process has
 * that PID now. `no-gpu`: it has no GPU open. `unreadable`: its open files can't be read. `not-permitted`: the machine refused
 * the signal.
 */
export const refusals = ['init', 'session', 'changed', 'no-gpu', 'unreadable', 'not-permitted'] as const

/** Beginning of the paths of GPU devices, as patterns of grep: NVIDIA, then AMD. */
const gpuDevices = ['/dev/nvidia', '/dev/kfd$', '/dev/dri/'] as const

/** Function in POSIX sh that reads the state, parent, foreground group of the terminal, and start time of a process. */
export const statFunction = `stat_of() {
  line=$(cat "/proc/$1/stat" 2>/dev/null) && [ -n "$line" ] || return 1
  set -- \${line##*') '}
  state=$1; parent=$2; foreground=$6; shift 19; began=$1
}`

const functions = (devices: readonly string[]): string => `${statFunction}
lives() { stat_of "$pid" && [ "$state" != Z ] && [ "$began" = "$start" ]; }
refused() { echo "refused $1"; exit; }
end_process() {
  pid=$1; start=$2; user=$3; signal=$4
  [ "$pid" -gt 1 ] || refused init
  own=$$
  while [ "$own" -gt 1 ]; do
    [ "$own" != "$pid" ] || refused session
    stat_of "$own" || break
    own=$parent
  done
  stat_of "$pid" && [ "$state" != Z ] || { echo gone; return; }
  set -- $(env LC_ALL=C ps -ww -o user:32= -p "$pid" 2>/dev/null || stat -c %U "/proc/$pid" 2>/dev/null)
  [ "$began" = "$start" ] && [ "$1" = "$user" ] || refused changed
  files=$(ls -l "/proc/$pid/fd" 2>/dev/null) || refused unreadable
  echo "$files" | grep -q ${devices.map((device) => `-e '-> ${device}'`).join(' ')} || refused no-gpu
  kill -s "$signal" "$pid" 2>/dev/null || refused not-permitted
  for second in 1 2 3 4 5; do
    lives || { echo ended; return; }
    sleep 1
  done
  echo running
}
`

/**
 * Script that checks a process and sends it a signal, in POSIX sh. It waits five seconds for its end and prints "ended",
 * "running", "gone" or "refused" with the reason. `devices`: files of which the process must have one open.
 */
export const endProcessScript = (
  { pid, start, user, signal }: EndRequest,
  devices: readonly string[] = gpuDevices,
): string => `${functions(devices)}end_process ${pid} ${start} '${user}' ${signal}`

/** Returns the request in a script of `endProcessScript`; null for any other text. */
export function readEndProcess(script: string): EndRequest | null {
  const [, pid, start, user, signal] = /^end_process (\d+) (\d+) '(\S+)' (\w+)$/m.exec(script) ?? []
  return EndRequest.safeParse({ pid: Number(pid), start, user, signal }).data ?? null
}
