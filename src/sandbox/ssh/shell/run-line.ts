import { setImmediate } from 'node:timers/promises'
import { absolutePath, type Disk, type OpenFile } from '../disk/disk'
import { DiskError } from '../disk/disk-error'
import type { SshMachine } from '../machine'
import { commands } from './commands/index'
import { failed, type Execution, type Output } from './command'
import { parseLine, type Redirect, type SimpleCommand, type Word } from './parse'

/** One shell on a machine: what its commands see, and what they change. */
export interface Shell {
  readonly machine: SshMachine
  readonly host: string
  readonly home: string
  readonly disk: Disk
  /** Epoch seconds. */
  readonly startedAt: number
  now(): number
  /** Width of the terminal in characters; undefined where there is none. */
  columns(): number | undefined
  directory: string
  /** What `$?` says. */
  status: number
  /** `exit` was run. */
  ended: boolean
}

/** Exit status of a command that Ctrl-C stopped (128 + SIGINT). */
export const interruptedStatus = 130

const variables: Record<string, (shell: Shell) => string> = {
  '?': (shell) => String(shell.status),
  HOME: (shell) => shell.home,
  HOSTNAME: (shell) => shell.host,
  LOGNAME: (shell) => shell.machine.username,
  PATH: () => '/usr/local/bin:/usr/bin:/bin',
  PWD: (shell) => shell.directory,
  SHELL: () => '/bin/bash',
  USER: (shell) => shell.machine.username,
}

const expand = (word: Word, shell: Shell): string =>
  word
    .map((part) => {
      if ('text' in part) return part.text
      const known = Object.hasOwn(variables, part.variable) ? variables[part.variable] : undefined
      return known?.(shell) ?? ''
    })
    .join('')

type Target = 'stdout' | 'stderr' | 'nowhere' | OpenFile

function openTarget(redirect: Redirect, targets: Record<'stdout' | 'stderr', Target>, shell: Shell): Target {
  if (typeof redirect.to === 'string') return targets[redirect.to]
  const path = absolutePath(shell.directory, expand(redirect.to.path, shell))
  if (path === '/dev/null') return 'nowhere'
  const { append } = redirect.to
  return shell.disk.open(path, { write: true, create: true, truncate: !append, append })
}

const isOpenFile = (target: Target): target is OpenFile => typeof target !== 'string'

/** Sends the output of `execution` where the redirects say, and the rest on. */
async function* redirected(
  execution: Execution,
  targets: Record<'stdout' | 'stderr', Target>,
): AsyncGenerator<Output, number> {
  const ends = new Map<OpenFile, number>()
  for (;;) {
    const step = await execution.next()
    if (step.done) return step.value
    const target = targets[step.value.to]
    if (target === 'stdout' || target === 'stderr') {
      yield { to: target, data: step.value.data }
      continue
    }
    // Nobody waits for a file as one waits for a client: let others have a turn.
    await setImmediate()
    if (!isOpenFile(target)) continue
    const { data: written } = step.value
    const data = typeof written === 'string' ? Buffer.from(written) : written
    const end = ends.get(target) ?? 0
    try {
      target.write(end, data)
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      return yield* failed('bash', `write error: ${error.message}`)
    }
    ends.set(target, end + data.length)
  }
}

async function* runCommand(
  command: SimpleCommand,
  shell: Shell,
  stdin: AsyncIterable<Buffer> | undefined,
): AsyncGenerator<Output, number> {
  const [name = '', ...args] = command.words.map((word) => expand(word, shell))
  const targets: Record<'stdout' | 'stderr', Target> = { stdout: 'stdout', stderr: 'stderr' }
  for (const redirect of command.redirects) {
    try {
      targets[redirect.from] = openTarget(redirect, targets, shell)
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      const path = typeof redirect.to === 'string' ? redirect.to : expand(redirect.to.path, shell)
      return yield* failed('bash', `${path}: ${error.message}`)
    }
  }
  if (command.words.length === 0) return 0
  const known = commands.find((candidate) => candidate.name === name)
  const execution = known
    ? known.run({ args, shell, stdin })
    : failed('bash', `${name}: command not found`, 127)
  return yield* redirected(execution, targets)
}

/**
 * Runs one line in-process; nothing of it ever reaches a shell or a program of the host. Yields what it writes and
 * returns the exit status.
 */
export async function* runLine(
  line: string,
  shell: Shell,
  stdin?: AsyncIterable<Buffer>,
): AsyncGenerator<Output, number> {
  const parsed = parseLine(line)
  if (parsed.kind === 'error') return (shell.status = yield* failed('bash', parsed.message, 2))
  for (const command of parsed.commands) {
    const succeeded = shell.status === 0
    if (command.after === 'success' && !succeeded) continue
    if (command.after === 'failure' && succeeded) continue
    shell.status = yield* runCommand(command, shell, stdin)
    if (shell.ended) break
  }
  return shell.status
}
