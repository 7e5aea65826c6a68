import { setImmediate } from 'node:timers/promises'
import { branchesTitle, LookBefore, lookTitle } from '#shared/bridge/last-look'
import { readJobScript } from '#shared/job-script'
import { readSetUpScript } from '#shared/set-up-script'
import { absolutePath, type OpenFile } from '../disk/disk'
import { DiskError } from '../disk/disk-error'
import { commands } from './commands/index'
import { setUpAnswer } from './commands/system'
import { jobsAnswer } from './jobs'
import { branchesAnswer, lastLookAnswer } from './last-look'
import { failed, type Execution, type Output, type Shell } from './command'
import { parseLine, type Redirect, type SimpleCommand, type Statement, type Word } from './parse'

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
    // Writing to a file never waits for a client, so other sessions get a turn here.
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
  // Assignments have no effect, since no command of the sandbox reads variables.
  if (command.words.length === 0 || [name, ...args].every((word) => /^[A-Za-z_]\w*=/.test(word))) return 0
  return yield* redirected(runProgram(name, args, shell, stdin), targets)
}

/** Runs the builtins that run or look up other commands. */
function runProgram(
  name: string,
  args: readonly string[],
  shell: Shell,
  stdin: AsyncIterable<Buffer> | undefined,
): Execution {
  const [first = '', second = ''] = args
  const program = name.replace(/^\/(?:usr\/)?bin\//, '')
  if (name === 'exec')
    return ending(shell, args.length === 0 ? succeed() : runProgram(first, args.slice(1), shell, stdin))
  if (name === 'export') return succeed()
  if (name === 'command' && first === '-v') return lookUp(second)
  if ((program === 'sh' || program === 'bash') && first === '-c')
    return runLine(second, { ...shell, status: 0, ended: false }, stdin)
  const known = commands.find((candidate) => candidate.name === program)
  return known ? known.run({ args, shell, stdin }) : failed('bash', `${name}: command not found`, 127)
}

function* succeed(): Generator<Output, number, undefined> {
  return 0
}

/** Runs a program instead of the shell (`exec`). */
async function* ending(shell: Shell, execution: Execution): AsyncGenerator<Output, number, undefined> {
  const status = yield* execution
  shell.ended = true
  return status
}

function* lookUp(name: string): Generator<Output, number, undefined> {
  if (!commands.some((command) => command.name === name)) return 1
  yield { to: 'stdout', data: `/usr/bin/${name}\n` }
  return 0
}

async function* runStatements(
  statements: readonly Statement[],
  shell: Shell,
  stdin: AsyncIterable<Buffer> | undefined,
): AsyncGenerator<Output, number> {
  for (const statement of statements) {
    const succeeded = shell.status === 0
    if (statement.after === 'success' && !succeeded) continue
    if (statement.after === 'failure' && succeeded) continue
    if ('words' in statement) shell.status = yield* runCommand(statement, shell, stdin)
    else {
      let body = statement.otherwise
      for (const branch of statement.branches) {
        if ((yield* runStatements(branch.condition, shell, stdin)) !== 0) continue
        body = branch.body
        break
      }
      shell.status = 0
      yield* runStatements(body, shell, stdin)
    }
    if (shell.ended) break
  }
  return shell.status
}

/**
 * Runs one line in this process, without a shell or program of the host. Yields its output and returns the exit status.
 */
export async function* runLine(
  line: string,
  shell: Shell,
  stdin?: AsyncIterable<Buffer>,
): AsyncGenerator<Output, number> {
  const before = LookBefore.options.find((action) => line.startsWith(`${lookTitle(action)}\n`))
  if (before) {
    yield { to: 'stdout', data: lastLookAnswer(shell, before) }
    return (shell.status = 0)
  }
  if (line.startsWith(`${branchesTitle}\n`)) {
    yield { to: 'stdout', data: branchesAnswer(shell, line) }
    return (shell.status = 0)
  }
  const questions = readJobScript(line)
  if (questions) {
    yield { to: 'stdout', data: await jobsAnswer(questions, shell, runLine) }
    return (shell.status = 0)
  }
  const setUp = readSetUpScript(line)
  if (setUp) {
    yield { to: 'stdout', data: setUpAnswer(shell, setUp.hasLog) }
    return (shell.status = 0)
  }
  const parsed = parseLine(line)
  if (parsed.kind === 'error') return (shell.status = yield* failed('bash', parsed.message, 2))
  return yield* runStatements(parsed.commands, shell, stdin)
}
