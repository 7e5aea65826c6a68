import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NotBegun } from '#shared/bridge/command'
import type { FrameOptions } from '#shared/command-frame'
import { onAbort } from '../../core/on-abort'
import { frameOf, lateOutputTimeoutMs } from './framed-output'
import {
  type ChannelEvents,
  type ChannelExit,
  ChannelError,
  type CommandOutput,
  type ExecOutcome,
  type SshConnection,
} from './transport'

/** Output in bytes after which a script is ended: no tool prints that much. */
export const maxOutputBytes = 4 * 1024 * 1024
/** Characters of start-up output that callers get. */
const maxLoginOutputLength = 4_000

/** `command`: seconds that a script may take. `output`: characters of each output that are kept. */
export interface ExecLimits {
  readonly command: number
  readonly output: number
}

/** Runs texts in the login shell of a machine. */
export interface CommandTransport {
  /** `isUsers`: the user's own command, which gets the environment that is sent to the machine. */
  start(text: string, output: ChannelEvents, signal: AbortSignal, isUsers: boolean): Promise<ChannelExit>
  /** Its exit codes can also come from its own program, so each frame must report the command's end. */
  readonly reportsEnd: boolean
  /** Returns the error of a channel that ended without an exit code; undefined: the command itself ended so. */
  lossOf?(hasBegun: boolean, printed: string): ChannelError | undefined
}

/** Message of rbash, and of zsh and ksh with -r, which refuse `exec` and paths of programs. */
const restricted = /(?:exec|\/bin\/sh): restricted\b/
/** Message of cmd and PowerShell, which quote the unknown `exec` in any language: 'exec', "exec", «exec». */
const unknownExec = /[^\w\s/.,:;-]exec[^\w\s/.,:;-]/

/** Returns why a login shell did not start a command, by its output. */
export function whyNotBegun(printed: string): NotBegun['why'] {
  if (restricted.test(printed)) return 'restricted'
  return unknownExec.test(printed) ? 'no-shell' : 'refused'
}

/**
 * Time for which the channel may stay open after the exit of a login shell that never began the command, or that a signal
 * ended. No mark shows then that all output has arrived, so lost packets need time to be sent again.
 */
const closeTimeoutMs = 2_000

/** Aborts `signal` some time after the last call of `end`. */
function delayedEnd() {
  const controller = new AbortController()
  const reason = new Error('ended, but held open')
  let timer: NodeJS.Timeout | undefined
  return {
    signal: controller.signal,
    reason,
    /** Ends after a while. `isDone` is checked then; if it returns false, nothing ends. */
    end(milliseconds: number, isDone: () => boolean = () => true): void {
      clearTimeout(timer)
      // Reads the output that has arrived first: timers run before it.
      const abort = (): void => void (isDone() && controller.abort(reason))
      timer = setTimeout(() => setImmediate(abort), milliseconds)
    },
    cancel: (): void => clearTimeout(timer),
  }
}

/**
 * Runs a framed command and resolves to its exit. Rejects with ChannelError if it never begins. Closes the channel of a
 * script shortly after the script's end. The channel of a user's command stays open as long as with ssh: closing it would
 * end the user's background processes at their next output.
 */
async function runFramed(
  transport: CommandTransport,
  command: string,
  shell: FrameOptions['shell'],
  output: CommandOutput,
  signal: AbortSignal,
): Promise<ChannelExit> {
  const isScript = shell === 'sh'
  /** Drops output once the result is known. A late mark still counts, as a cancelled command may have begun. */
  let isMuted = false
  const forwarded = {
    ...output,
    stdout: (data: Buffer): void => void (isMuted || output.stdout(data)),
    stderr: (data: Buffer): void => void (isMuted || output.stderr(data)),
  }
  const frame = frameOf(command, { shell, reportsEnd: transport.reportsEnd || isScript }, forwarded)
  const held = delayedEnd()
  let exited: ChannelExit = { status: null, signal: null }
  const read = (from: 'stdout' | 'stderr') => (data: Buffer) => {
    const hadEnded = frame.hasEnded()
    frame.read[from](data)
    if (isScript && !isMuted && !hadEnded && frame.hasEnded()) held.end(lateOutputTimeoutMs)
  }
  const reading: ChannelEvents = {
    stdout: read('stdout'),
    stderr: read('stderr'),
    exited(exit) {
      exited = exit
      if (!isMuted && !frame.hasEnded())
        held.end(closeTimeoutMs, () => !frame.hasBegun() || (isScript && exit.signal !== null))
    },
  }
  try {
    const ending = AbortSignal.any([signal, held.signal])
    const exit = await transport.start(frame.text, reading, ending, !isScript).catch((error: unknown) => {
      if (error !== held.reason) throw error
      return exited
    })
    const { isRun, exit: reported } = frame.end()
    if (reported) return reported
    const printed = frame.loginOutput()
    const loss = exit.status === null ? transport.lossOf?.(isRun, printed) : undefined
    if (loss) throw loss
    if (isRun) return exit
    throw new ChannelError('refused', printed, false, whyNotBegun(printed))
  } finally {
    isMuted = true
    held.cancel()
    output.login?.(frame.loginOutput().slice(-maxLoginOutputLength), frame.hasBegun())
  }
}

/** Returns the report of a script that did not end by itself. `seconds`: its time limit. */
export function unansweredReport(outcome: Exclude<ExecOutcome, { kind: 'finished' }>, seconds: number) {
  if (outcome.kind === 'not-begun') return outcome
  const { isLogin, loginOutput } = outcome
  if (isLogin !== true) return { kind: 'no-answer', seconds } as const
  return { kind: 'slow-login', seconds, ...(loginOutput !== undefined && { loginOutput }) } as const
}

/** Pauses before further attempts: a server counts a session until its process has ended (MaxSessions 1). */
const retryPausesMs = [50, 100, 200, 400, 800]

/** Tries again for a short time if the server opens no channel. */
export async function whenFree<Value>(open: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
  for (const pause of retryPausesMs) {
    try {
      return await open()
    } catch (error) {
      const isBusy = error instanceof ChannelError && error.kind === 'refused' && !error.isProhibited
      if (!isBusy || error.notBegun !== undefined) throw error
    }
    await sleep(pause, undefined, { signal }).catch(() => signal?.throwIfAborted())
  }
  return open()
}

/** Attempts of a script whose whole output is lost (docs/machine-commands.md). */
const silentAttempts = 5

/** Runs a script again if its channel ended without any output. Then the machine refuses it. */
async function unlessSilent<Value>(start: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof ChannelError) || error.kind !== 'lost' || error.message !== '') throw error
      if (attempt === silentAttempts) throw new ChannelError('refused', '', false, 'refused')
    }
}

/** Keeps up to `limit` characters of an output. Calls `exceeded` if there is far more. */
function collector(limit: number, exceeded: () => void) {
  const decoder = new StringDecoder('utf8')
  let text = ''
  let bytes = 0
  return {
    text: () => text,
    push(data: Buffer): void {
      if (text.length < limit) text = (text + decoder.write(data)).slice(0, limit)
      bytes += data.length
      if (bytes > maxOutputBytes) exceeded()
    },
  }
}

/** See SshConnection.exec. */
async function exec(
  transport: CommandTransport,
  command: string,
  limits: ExecLimits,
  signal?: AbortSignal,
): Promise<ExecOutcome> {
  const ending = new AbortController()
  const [timedOut, tooMuch] = [new Error('timed out'), new Error('too much output')]
  const abort = (): void => ending.abort(signal?.reason)
  const timer = setTimeout(() => ending.abort(timedOut), limits.command * 1_000)
  const exceeded = (): void => ending.abort(tooMuch)
  const [stdout, stderr] = [collector(limits.output, exceeded), collector(limits.output, exceeded)]
  let hasBegun = false
  let login = ''
  const withLogin = () => (login === '' ? {} : { loginOutput: login })
  const ended = (status: number | null): ExecOutcome => {
    const result = { stdout: stdout.text(), stderr: stderr.text(), status }
    return { kind: 'finished', ...result, ...withLogin() }
  }
  const stop = onAbort(signal, abort)
  try {
    if (signal?.aborted) abort()
    const output: CommandOutput = {
      stdout: stdout.push,
      stderr: stderr.push,
      begun: () => void (hasBegun = true),
      login: (text) => void (login = text),
    }
    const start = () => runFramed(transport, command, 'sh', output, ending.signal)
    const exit = await unlessSilent(() => whenFree(start, ending.signal))
    return ended(exit.status)
  } catch (error) {
    if (error === timedOut) return { kind: 'timed-out', ...(!hasBegun && { isLogin: true }), ...withLogin() }
    if (error === tooMuch) return ended(null)
    if (!(error instanceof ChannelError) || error.kind !== 'refused') throw error
    const { message, notBegun } = error
    if (notBegun !== undefined) return { kind: 'not-begun', why: notBegun, said: message }
    return { kind: 'finished', isRefused: true, stdout: '', stderr: message, status: null }
  } finally {
    clearTimeout(timer)
    stop()
  }
}

/** See SshConnection.run. */
async function run(
  transport: CommandTransport,
  command: string,
  output: CommandOutput,
  signal: AbortSignal,
  shell: FrameOptions['shell'] = 'login',
): Promise<ChannelExit> {
  try {
    const start = () => runFramed(transport, command, shell, output, signal)
    return await whenFree(start, signal)
  } catch (error) {
    const isPlain = error instanceof ChannelError && error.notBegun === 'no-shell' && shell === 'login'
    if (!isPlain) throw error
    // cmd and PowerShell run the user's command as it is.
    output.begun?.(null)
    return transport.start(command, output, signal, true)
  }
}

/** The commands of a connection. */
export const commandsOver = (
  transport: CommandTransport,
  limits: ExecLimits,
): Pick<SshConnection, 'exec' | 'run'> => ({
  exec: (command, signal) => exec(transport, command, limits, signal),
  run: (command, output, signal, shell) => run(transport, command, output, signal, shell),
})
