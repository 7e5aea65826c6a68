import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { errorOf } from './channel-stream'
import { afterLoss, commandOf, ownFailure } from './system-channels'
import { type ChannelExit, ChannelError, type CommandOutput } from './transport'

/** Bytes that a machine may print before the command begins: start-up files of its shell. */
const mostBefore = 64 * 1024

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

/** Passes on what follows the line that begins with `mark`; without such a line, everything at the end. */
function afterMark(mark: string, pass: (data: Buffer) => void, begun: (rest: string) => void) {
  let before: Buffer | undefined = Buffer.alloc(0)
  return {
    said: (): string => before?.toString() ?? '',
    push(data: Buffer): void {
      if (!before) return pass(data)
      before = Buffer.concat([before, data])
      const at = before.indexOf(mark)
      const end = at < 0 ? -1 : before.indexOf('\n', at)
      if (end < 0 && before.length <= mostBefore) return
      const [all, line] = [before, end < 0 ? '' : before.subarray(at + mark.length, end).toString()]
      before = undefined
      if (end >= 0) begun(line)
      if (end + 1 < all.length) pass(all.subarray(end + 1))
    },
    flush(): void {
      if (before && before.length > 0) pass(before)
      before = undefined
    },
  }
}

/** Passes on all but a last line that begins with `mark`, whose rest it keeps. */
function untilMark(mark: string, pass: (data: Buffer) => void) {
  let held = Buffer.alloc(0)
  const last = (): RegExpExecArray | null => new RegExp(`${mark} (.*)\n$`).exec(held.toString('latin1'))
  return {
    push(data: Buffer): void {
      held = Buffer.concat([held, data])
      let at = held.indexOf(mark)
      // Its beginning may be the last that has come.
      for (let length = Math.min(mark.length, held.length); at < 0 && length > 0; length -= 1)
        if (held.subarray(-length).equals(Buffer.from(mark.slice(0, length)))) at = held.length - length
      const free = at < 0 ? held.length : at
      if (free > 0) pass(held.subarray(0, free))
      held = held.subarray(free)
    },
    end(): string | undefined {
      const found = last()
      if (!found && held.length > 0) pass(held)
      return found?.[1]
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
    const stderr = untilMark(mark, output.stderr)
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
