import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { errorOf } from './channel-stream'
import { afterLoss, commandOf, ownFailure } from './system-channels'
import { type ChannelExit, ChannelError, type CommandOutput } from './transport'

/** Bytes that a machine may print before the command begins: start-up files of its shell. */
const mostBefore = 64 * 1024
/** Characters after the mark: "137 KILL". */
const longestRest = 20

/**
 * Says `mark` and its process group, then takes the command from its input, so that no shell has to unquote it, and runs it
 * in the login shell; at last says `mark`, the exit code and the signal that the code stands for. ssh itself says of 255, of
 * a signal and of a lost line the same. A command that did not arrive whole is not run. With SHLVL, bash reads its start-up
 * file as it does for sshd.
 */
const wrapped = (mark: string): string =>
  `exec /bin/sh -c 'echo ${mark}; echo ${mark} $$ >&2; c=$(cat); case $c in *${mark}) ;; *) exit 255;; esac; SHLVL=0; exec 3>&2 2>/dev/null; (exec "\${SHELL:-/bin/sh}" -c "\${c%${mark}}" </dev/null 2>&3 3>&-); s=$?; echo ${mark} $s $([ $s -gt 128 ] && kill -l $s) >&3; exit $s'`

/** cmd and PowerShell, which know no `exec`, say so in their own language. */
const knowsNoExec = (code: number | null, said: string): boolean =>
  code !== 0 && code !== ownFailure && /\bexec\b/.test(said)

/** The line that `mark` begins: alone, with a process group, or with an exit code and perhaps a signal. */
const lineOf = (mark: string): RegExp => new RegExp(`${mark}(?: ([0-9A-Z+ -]{1,${longestRest}}))?\\n`)

/** Passes on what follows the line of `mark`; without such a line, everything at the end. */
function afterMark(mark: string, pass: (data: Buffer) => void, begun: (rest: string) => void) {
  let before: Buffer | undefined = Buffer.alloc(0)
  const line = lineOf(mark)
  return {
    said: (): string => before?.toString() ?? '',
    push(data: Buffer): void {
      if (!before) return pass(data)
      before = Buffer.concat([before, data])
      // A shell that shows what it runs (`set -x`) shows the mark in another line.
      const found = line.exec(before.toString('latin1'))
      if (!found && before.length <= mostBefore) return
      const rest = before.subarray(found ? found.index + found[0].length : 0)
      before = undefined
      if (found) begun(found[1] ?? '')
      if (rest.length > 0) pass(rest)
    },
    flush(): void {
      if (before && before.length > 0) pass(before)
      before = undefined
    },
  }
}

/** Passes on all but the lines of `mark`, of which it keeps the last: what a command leaves running may print after it. */
function withoutMark(mark: string, pass: (data: Buffer) => void) {
  const line = new RegExp(lineOf(mark), 'g')
  let held = Buffer.alloc(0)
  let last: string | undefined
  const passOn = (data: Buffer): void => void (data.length > 0 && pass(data))
  /** Where a line may begin that has not come to its end. */
  function beginning(): number {
    const first = Math.max(0, held.length - mark.length - longestRest - 1)
    for (let at = first; at < held.length; at += 1) {
      const rest = held.toString('latin1', at)
      if (mark.startsWith(rest) || rest.startsWith(mark)) return at
    }
    return held.length
  }
  return {
    push(data: Buffer): void {
      held = Buffer.concat([held, data])
      let from = 0
      for (const found of held.toString('latin1').matchAll(line)) {
        passOn(held.subarray(from, found.index))
        from = found.index + found[0].length
        last = found[1]
      }
      held = held.subarray(from)
      const at = beginning()
      passOn(held.subarray(0, at))
      held = held.subarray(at)
    },
    end(): string | undefined {
      passOn(held)
      return last
    },
  }
}

/** "137 KILL" */
function exitIn(text: string): ChannelExit | undefined {
  const [, code, signal] = /^(\d{1,3}) ?([A-Z0-9+-]{1,12})?$/.exec(text.trim()) ?? []
  if (code === undefined) return undefined
  return signal === undefined
    ? { status: Number(code), signal: null }
    : { status: null, signal: `SIG${signal}` }
}

/**
 * See SshConnection.run: by an ssh of its own. `isOwnLine`: over a connection of its own, whose loss nothing else shows.
 */
export function runBySystem(
  start: (command: string) => ChildProcessWithoutNullStreams,
  command: string,
  output: CommandOutput,
  gone: AbortSignal,
  signal: AbortSignal,
  isOwnLine: boolean,
): Promise<ChannelExit> {
  return new Promise((resolve, reject) => {
    const ending = AbortSignal.any([gone, signal])
    if (ending.aborted) return reject(errorOf(ending.reason))
    const mark = `wheelhouse-${randomBytes(16).toString('hex')}`
    const child = start(wrapped(mark))
    let hasBegun = false
    const abort = (): void => {
      child.kill()
      reject(errorOf(ending.reason))
    }
    ending.addEventListener('abort', abort)
    const stderr = withoutMark(mark, output.stderr)
    const errors = afterMark(mark, stderr.push, (group) => {
      hasBegun = true
      const id = Number(group)
      output.begun?.(Number.isSafeInteger(id) && id > 1 ? id : null)
      child.stdin.end(command + mark)
    })
    const printed = afterMark(mark, output.stdout, () => undefined)
    child.stdin.on('error', () => undefined)
    child.stdout.on('data', printed.push)
    child.stderr.on('data', errors.push)
    child.on('error', (error) => reject(new ChannelError('refused', error.message)))
    child.on('close', (code) =>
      afterLoss(code, gone, () => {
        ending.removeEventListener('abort', abort)
        const said = errors.said()
        if (ending.aborted) return
        if (!hasBegun && isOwnLine && code === ownFailure)
          return reject(new ChannelError('refused', said.trim().split('\n').at(-1) ?? ''))
        if (!hasBegun && knowsNoExec(code, said)) {
          output.begun?.(null)
          resolve(commandOf(() => start(command), output, gone, signal))
          return
        }
        errors.flush()
        printed.flush()
        const exit = exitIn(stderr.end() ?? '')
        if (exit) return resolve(exit)
        if (code === ownFailure && isOwnLine) return reject(new ChannelError('lost', 'connection lost'))
        resolve({ status: code === ownFailure ? null : code, signal: null })
      }),
    )
  })
}
