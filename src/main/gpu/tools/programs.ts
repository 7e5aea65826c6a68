import { maskedCommand } from '../../core/masked-command'
import { shortened } from './tool-complaint'

/** Program of a process, as `ps` reports it. `seconds`: running time. `start`: in clock ticks since the machine booted. */
export interface Program {
  readonly user: string
  readonly seconds: number
  readonly command: string
  readonly start: string | null
}

const maxLines = 2_000
const maxCommandLength = 400

const startsHeading = '== starts'

const startsOfScript = (pids: readonly (number | string)[]): string =>
  `echo '${startsHeading}'; cat ${pids.map((pid) => `/proc/${pid}/stat`).join(' ')} 2>/dev/null`

/**
 * Command that reports the programs of processes: their user, running time and command line, then the kernel's line about
 * each (proc_pid_stat(5)), which has its exact start.
 */
export const programsCommand = (pids: readonly (number | string)[]): string =>
  `env LC_ALL=C ps -ww -o pid= -o user:32= -o etimes= -o args= -p ${pids.join(',')} 2>/dev/null; ${startsOfScript(pids)}`

/**
 * Script that reports the same without `ps`, or with the `ps` of busybox, which has no `etimes`. In a container, /proc/uptime may
 * be younger than its processes.
 */
export const programsWithoutPs = (pids: readonly (number | string)[]): string =>
  [
    'read -r up rest </proc/uptime; tick=$(getconf CLK_TCK 2>/dev/null) || tick=100',
    `for pid in ${pids.join(' ')}; do line=$(cat "/proc/$pid/stat") || continue`,
    'set -- ${line##*\') \'}; shift 19; age=$(( ${up%.*} - $1 / tick )); [ "$age" -ge 0 ] || age=0',
    `printf '%s %s %s %s\\n' "$pid" "$(stat -c %U "/proc/$pid")" "$age" "$(tr '\\000\\n' '  ' <"/proc/$pid/cmdline" | head -c 4000)"`,
    `done 2>/dev/null; ${startsOfScript(pids)}`,
  ].join('; ')

/** Returns the start of each process by its id: field 22, of which 19 follow the state. A name may contain brackets. */
const startsOf = (text: string): ReadonlyMap<number, string> =>
  new Map(
    [...text.matchAll(/^(\d{1,10}) \(.*\) [A-Za-z](?: -?\d+){18} (\d{1,20}) /gm)].map(
      ([, pid, start = '']) => [Number(pid), start],
    ),
  )

/** Parses the output of `programsCommand` or `programsWithoutPs` by process id. Pure, never throws. */
export function programsOf(text: string): ReadonlyMap<number, Program> {
  // ps prints no line breaks of arguments, so the first heading is the real one.
  const [listed = '', ...rest] = text.split(`${startsHeading}\n`)
  const starts = startsOf(rest.join('\n'))
  return new Map(
    listed.split(/\r?\n/, maxLines).flatMap((line): (readonly [number, Program])[] => {
      const [, pid, user, seconds, command] =
        /^\s*(\d{1,10})\s+(\S{1,64})\s+(\d{1,12})\s+(\S.*)$/.exec(line) ?? []
      if (pid === undefined || user === undefined || command === undefined) return []
      const masked = shortened(maskedCommand(command.slice(0, 4_000)), maxCommandLength)
      const start = starts.get(Number(pid)) ?? null
      return [[Number(pid), { user: shortened(user, 64), seconds: Number(seconds), command: masked, start }]]
    }),
  )
}

/** Services of the driver, which open GPUs on every machine. */
const drivers = /^(?:\S*\/)?(?:nvidia-persistenced|nvidia-smi|nv-hostengine|dcgm\S*|Xorg)\b/

/** Whether a command line starts a service of the driver. */
export const isDriverService = (command: string): boolean => drivers.test(command)

/** Command that lists the open GPU devices of the processes in its own namespace that the user may read. */
export const openDevicesCommand =
  "ls -l /proc/[0-9]*/fd 2>/dev/null | grep -e '^/proc/' -e '/dev/nvidia[0-9]'"

/** Parses the output of `openDevicesCommand`: process ids and the index of a GPU that each has open. Pure. */
export function openDevices(text: string): readonly { readonly pid: number; readonly index: number }[] {
  let pid: number | undefined
  const found = new Map<string, { pid: number; index: number }>()
  for (const line of text.split(/\r?\n/)) {
    const [, heading] = /^\/proc\/(\d{1,10})\/fd:$/.exec(line) ?? []
    if (heading !== undefined) pid = Number(heading)
    const [, device] = /-> \/dev\/nvidia(\d{1,3})$/.exec(line) ?? []
    if (device !== undefined && pid !== undefined && found.size < maxLines)
      found.set(`${pid}/${device}`, { pid, index: Number(device) })
  }
  return [...found.values()]
}
