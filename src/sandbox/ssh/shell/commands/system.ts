import { maxLog } from '#shared/bridge/job'
import { type SetUpRecord, statusReport, usualSetUp } from '../../../cloud/set-up'
import { failed, print, printCommand, readOptions, type Command, type Shell } from '../command'
import { coresOf, currentLoad } from '../processes'

const kernel = {
  name: 'Linux',
  release: '6.8.0-45-generic',
  version: '#45 SMP PREEMPT_DYNAMIC',
  machine: 'x86_64',
  system: 'GNU/Linux',
}

/** Formats a time as "Fri Feb 13 23:31:30 UTC 2009". */
const dateText = (time: number): string => {
  const [weekday = '', day = '', month = '', year = '', clock = ''] = new Date(time * 1000)
    .toUTCString()
    .replace(',', '')
    .split(' ')
  return `${weekday} ${month} ${day.replace(/^0/, ' ')} ${clock} UTC ${year}`
}

const uname: Command = {
  name: 'uname',
  summary: 'print the system (-a: all of it)',
  *run({ args, shell }) {
    const { letters, unknown } = readOptions(args, 'asnrvm')
    if (unknown) return yield* failed('uname', `invalid option -- '${unknown}'`)
    const all = letters.has('a')
    const fields = [
      all || letters.has('s') || letters.size === 0 ? kernel.name : '',
      all || letters.has('n') ? shell.host : '',
      all || letters.has('r') ? kernel.release : '',
      all || letters.has('v') ? kernel.version : '',
      all || letters.has('m') ? kernel.machine : '',
      all ? kernel.system : '',
    ]
    yield print(fields.filter(Boolean).join(' '))
    return 0
  },
}

/** Formats `seconds` as "up 3 days,  4:05". */
export const uptimeText = (seconds: number): string => {
  const minutes = Math.floor(Math.max(0, seconds) / 60)
  const days = Math.floor(minutes / 1440)
  const hours = Math.floor(minutes / 60) % 24
  const clock =
    hours > 0 ? `${hours}:${String(minutes % 60).padStart(2, '0')}`.padStart(5) : `${minutes % 60} min`
  return `up ${days > 0 ? `${days} day${days === 1 ? '' : 's'}, ` : ''}${clock}`
}

/** Formats the load averages of a machine whose cores are in use by `cpu` percent. */
export const loadAverages = (cpu: number, cores: number): string =>
  [1, 0.98, 0.95].map((part) => ((part * cpu * cores) / 100).toFixed(2)).join(', ')

const uptime = printCommand('uptime', 'show how long the machine has been running', ({ shell }) => {
  const now = shell.now()
  const clock = new Date(now * 1000).toISOString().slice(11, 19)
  const averages = loadAverages(currentLoad(shell.machine, now).cpu, coresOf(shell.machine))
  return ` ${clock} ${uptimeText(now - shell.startedAt)},  1 user,  load average: ${averages}`
})

const free: Command = {
  name: 'free',
  summary: 'show the memory (-h: in readable units, -m, -g)',
  *run({ args, shell }) {
    const { letters, unknown } = readOptions(args, 'hmgk')
    if (unknown) return yield* failed('free', `invalid option -- '${unknown}'`)
    const gigabytes = letters.has('h') || letters.has('g')
    const divisor = gigabytes ? 1024 * 1024 : letters.has('m') ? 1024 : 1
    const total = (shell.machine.ram ?? 64) * 1024 * 1024
    const used = Math.round((total * currentLoad(shell.machine, shell.now()).memory) / 100)
    const cache = Math.round(Math.min(total * 0.1, (total - used) / 2))
    const unit = letters.has('h') ? 'Gi' : ''
    const row = (label: string, kilobytes: readonly number[]) =>
      label.padEnd(7) +
      kilobytes.map((value) => `${Math.round(value / divisor)}${unit}`.padStart(13)).join('')
    yield print(
      ' '.repeat(7) +
        ['total', 'used', 'free', 'shared', 'buff/cache', 'available']
          .map((heading) => heading.padStart(13))
          .join(''),
    )
    yield print(row('Mem:', [total, used, total - used - cache, 0, cache, total - used]))
    yield print(row('Swap:', [0, 0, 0]))
    return 0
  },
}

const setUpOf = ({ machine }: Shell): SetUpRecord => machine.setUp?.() ?? usualSetUp(true)

/** Returns the answer of a sandbox machine to the application's script about the set-up, as the script prints it. */
export function setUpAnswer(shell: Shell, hasLog: boolean): string {
  const setUp = setUpOf(shell)
  const { text, code } = statusReport(setUp)
  const size = Buffer.byteLength(setUp.log)
  const log = hasLog || code !== 0 ? `log ${String(size)}\n${setUp.log.slice(-maxLog.bytes)}` : ''
  return `${text}\nexit ${String(code)}\n${log}\nend\n`
}

/** In the format of cloud-init 24.4. */
const cloudInit: Command = {
  name: 'cloud-init',
  summary: 'show whether the set-up of the machine is done (status)',
  *run({ args: [command, ...options], shell }) {
    if (command !== 'status') return yield* failed('cloud-init', 'only status is available', 2)
    const { text, code } = statusReport(setUpOf(shell))
    const isLong = options.some((option) => option === '--long' || option === '-l')
    yield { to: 'stdout', data: isLong ? text : text.replace(/\n[\s\S]*/, '\n') }
    return code
  },
}

export const systemCommands: readonly Command[] = [
  cloudInit,
  free,
  uname,
  uptime,
  printCommand('date', 'print the date and time (+%s: as epoch seconds)', ({ args, shell }) =>
    args[0] === '+%s' ? String(Math.floor(shell.now())) : dateText(shell.now()),
  ),
  printCommand('hostname', "print the machine's name", ({ shell }) => shell.host),
  printCommand('id', 'print who you are', ({ shell: { machine } }) => {
    const name = machine.username
    return `uid=1000(${name}) gid=1000(${name}) groups=1000(${name}),27(sudo)`
  }),
  printCommand('nproc', 'print the number of CPUs', ({ shell }) => String(coresOf(shell.machine))),
]
