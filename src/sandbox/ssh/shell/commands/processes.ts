import { failed, print, type Command, type Shell } from '../command'
import { coresOf, currentLoad, type Process, processesOf } from '../processes'
import { loadAverages, uptimeText } from './system'

type Column = readonly [heading: string, width: number, value: (process: Process, shell: Shell) => string]

const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
const nameOf = ({ command }: Process): string => /^(?:\S*\/)?([^\s:]+)/.exec(command)?.[1] ?? command
const rss = ({ memory }: Process, { machine }: Shell): number =>
  Math.round((memory / 100) * (machine.ram ?? 64) * 1024 * 1024)
/** Seconds of one core that the process has used. */
const cpuSeconds = ({ cpu, started }: Process, { now }: Shell): number => ((now() - started) * cpu) / 100
const clock = (seconds: number): string => `${two(seconds / 3600)}:${two((seconds / 60) % 60)}`
const startText = ({ started }: Process): string => new Date(started * 1000).toISOString().slice(11, 16)

const columns: Readonly<Record<string, Column>> = {
  pid: ['PID', 7, ({ pid }) => String(pid)],
  ppid: ['PPID', 7, ({ parent }) => String(parent)],
  user: ['USER', -8, ({ user }) => user.slice(0, 8)],
  pcpu: ['%CPU', 6, ({ cpu }) => cpu.toFixed(1)],
  pmem: ['%MEM', 4, ({ memory }) => memory.toFixed(1)],
  rss: ['RSS', 9, (process, shell) => String(rss(process, shell))],
  stat: ['STAT', -4, ({ cpu }) => (cpu > 0 ? 'R' : 'S')],
  tty: ['TTY', -5, () => '?'],
  start: ['START', 5, startText],
  etimes: ['ELAPSED', 11, ({ started }, { now }) => String(Math.floor(now() - started))],
  time: ['TIME', 8, (process, shell) => `${clock(cpuSeconds(process, shell))}:00`],
  comm: ['COMMAND', -15, nameOf],
  args: ['COMMAND', -27, ({ command }) => command],
}
const otherNames: Readonly<Record<string, string>> = {
  '%cpu': 'pcpu',
  '%mem': 'pmem',
  cmd: 'args',
  command: 'args',
  ucmd: 'comm',
  uname: 'user',
}
const layouts = {
  user: ['user', 'pid', 'pcpu', 'pmem', 'rss', 'tty', 'stat', 'start', 'time', 'args'],
  full: ['user', 'pid', 'ppid', 'pcpu', 'start', 'tty', 'time', 'args'],
  plain: ['pid', 'tty', 'time', 'comm'],
} as const

const cell = (text: string, width: number): string => (width < 0 ? text.padEnd(-width) : text.padStart(width))
const rowOf = (cells: readonly string[]): string => cells.join(' ').trimEnd()

interface Request {
  readonly fields: readonly string[]
  readonly pids: ReadonlySet<number> | null
  readonly sort: string | null
  readonly hasHeading: boolean
}

/** Reads the options of ps. Returns the first option that the sandbox lacks as text. */
function readRequest(args: readonly string[]): Request | string {
  let layout: readonly string[] = layouts.plain
  const fields: string[] = []
  let pids: ReadonlySet<number> | null = null
  let sort: string | null = null
  let hasHeading = true
  const rest = [...args]
  const listIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean)
  for (let option = rest.shift(); option !== undefined; option = rest.shift()) {
    if (option.startsWith('--sort=')) sort = option.slice(7)
    else if (option === '--no-headers' || option === '--no-heading') hasHeading = false
    else if (/^-?(?:e|A|ax|x|w|ww|axww)$/.test(option)) continue
    else if (/^-?aux(?:ww)?$/.test(option)) layout = layouts.user
    else if (/^-(?:e?f|Af)$/.test(option)) layout = layouts.full
    else if (/^-(?:e|A)?o$/.test(option)) fields.push(...listIn(rest.shift() ?? ''))
    else if (option === '-p') pids = new Set(listIn(rest.shift() ?? '').map(Number))
    else return option
  }
  return { fields: fields.length > 0 ? fields : layout, pids, sort, hasHeading }
}

const sortValue = ({ cpu, memory, pid }: Process, key: string): number => {
  if (key === 'pcpu') return cpu
  return key === 'pmem' || key === 'rss' ? memory : pid
}

const ps: Command = {
  name: 'ps',
  summary: 'list the processes (aux, -ef, -eo FIELDS, -p PIDS, --sort=-pcpu)',
  *run({ args, shell }) {
    const request = readRequest(args)
    if (typeof request === 'string') return yield* failed('ps', `${request}: not part of the sandbox`)
    const { pids, sort, hasHeading } = request
    // `pid=` prints the field without a heading; `user:32` has a width.
    const fields = request.fields.map((field) => {
      const key = field.replace(/[:=].*$/, '').toLowerCase()
      return { bare: field.includes('='), name: field, column: columns[otherNames[key] ?? key] }
    })
    const unknown = fields.find(({ column }) => column === undefined)
    if (unknown) return yield* failed('ps', `error: unknown user-defined format specifier "${unknown.name}"`)
    const key = sort?.replace(/^[+-]/, '') ?? 'pid'
    const direction = sort?.startsWith('-') ? -1 : 1
    const found = processesOf(shell.machine, shell.startedAt, shell.now())
      .filter(({ pid }) => pids === null || pids.has(pid))
      .toSorted(
        (left, right) =>
          direction * (sortValue(left, otherNames[key] ?? key) - sortValue(right, otherNames[key] ?? key)),
      )
    if (hasHeading && !fields.every(({ bare }) => bare))
      yield print(
        rowOf(fields.map(({ bare, column }) => cell(bare ? '' : (column?.[0] ?? ''), column?.[1] ?? 0))),
      )
    for (const process of found)
      yield print(
        rowOf(fields.map(({ column }) => cell(column?.[2](process, shell) ?? '', column?.[1] ?? 0))),
      )
    return found.length === 0 ? 1 : 0
  },
}

const top: Command = {
  name: 'top',
  summary: 'show the processes that use the CPU most, once',
  *run({ shell }) {
    const { machine, startedAt } = shell
    const now = shell.now()
    const all = processesOf(machine, startedAt, now)
    const { cpu } = currentLoad(machine, now)
    const running = all.filter((process) => process.cpu > 0).length
    yield print(
      `top - ${new Date(now * 1000).toISOString().slice(11, 19)} ${uptimeText(now - startedAt)},  1 user,  load average: ${loadAverages(cpu, coresOf(machine))}`,
    )
    yield print(
      `Tasks: ${String(all.length).padStart(3)} total, ${String(running).padStart(3)} running, ${String(all.length - running).padStart(3)} sleeping,   0 stopped,   0 zombie`,
    )
    yield print(
      `%Cpu(s): ${cpu.toFixed(1).padStart(4)} us,  0.0 sy,  0.0 ni, ${(100 - cpu).toFixed(1).padStart(4)} id`,
    )
    yield print('')
    yield print('    PID USER      S   %CPU  %MEM     TIME+ COMMAND')
    for (const process of all.toSorted((left, right) => right.cpu - left.cpu || left.pid - right.pid))
      yield print(
        [
          String(process.pid).padStart(7),
          process.user.slice(0, 8).padEnd(8),
          process.cpu > 0 ? ' R' : ' S',
          process.cpu.toFixed(1).padStart(6),
          process.memory.toFixed(1).padStart(5),
          `${clock(cpuSeconds(process, shell))}.00`.padStart(9),
          nameOf(process),
        ].join(' '),
      )
    return 0
  },
}

export const processCommands: readonly Command[] = [ps, top]
