import { setImmediate } from 'node:timers/promises'
import { absolutePath, type OpenFile } from '../disk/disk'
import { DiskError } from '../disk/disk-error'
import { commands } from './commands/index'
import { failed, type Execution, type Output, type Shell } from './command'
import { parseLine, type Redirect, type SimpleCommand, type Word } from './parse'

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
    .map((segment) => {
      if ('text' in segment) return segment.text
      const known = Object.hasOwn(variables, segment.variable) ? variables[segment.variable] : undefined
      return known?.(shell) ?? ''
    })
    .join('')

type Target = 'stdout' | 'stderr' | 'discard' | OpenFile

function openTarget(redirect: Redirect, targets: Record<'stdout' | 'stderr', Target>, shell: Shell): Target {
  if (typeof redirect.to === 'string') return targets[redirect.to]
  const path = absolutePath(shell.directory, expand(redirect.to.path, shell))
  if (path === '/dev/null') return 'discard'
  const { append } = redirect.to
  return shell.disk.open(path, { write: true, create: true, truncate: !append, append })
}

const isOpenFile = (target: Target): target is OpenFile => typeof target !== 'string'

/** Writes redirected output of `execution` to its target and yields the rest. */
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
    // Writing to a file never waits for a client, so yield to other sessions here.
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
 * Runs one line in-process; it never reaches a shell or program of the host. Yields its output and returns the exit
 * status.
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
