import type { Duplex } from 'node:stream'
import { loopDoneText, loopEndedText, loopReadyText, loopRequest, scriptLoop } from '#shared/command-frame'
import { onAbort } from '../../core/on-abort'
import { type ExecLimits, maxOutputBytes } from './commands'
import { newMark } from './framed-output'
import { connectionLimits } from './target'
import type { ExecOutcome, SshConnection } from './transport'

/** Exit codes by which a shell reports a signal: 128 and its number. */
const signalCodes = { from: 129, to: 192 } as const

/** Parses the answer to one script. Returns undefined if the shell printed something else. */
function answerIn(text: string, mark: string, limit: number): ExecOutcome | undefined {
  const head = loopEndedText(mark)
  const at = text.indexOf(head)
  const [line, code] = /^(\d{1,3})\n/.exec(text.slice(at + head.length, at + head.length + 4)) ?? []
  if (at < 0 || line === undefined) return undefined
  const isSignal = Number(code) >= signalCodes.from && Number(code) <= signalCodes.to
  const stderr = text.slice(at + head.length + line.length)
  return {
    kind: 'finished',
    stdout: text.slice(0, Math.min(at, limit)),
    stderr: stderr.slice(0, limit),
    status: isSignal ? null : Number(code),
  }
}

/** Runs scripts in one open channel. `undefined`: the channel ended before the answer. */
function loopOver(stream: Duplex, limits: ExecLimits) {
  const ready = Buffer.from(loopReadyText)
  let isReady = false
  let held: Buffer = Buffer.alloc(0)
  let received: (() => void) | undefined
  const settle = (): void => received?.()
  stream.on('data', (data: Buffer) => {
    // Between two scripts only a background process prints.
    if (isReady && !received) return
    held = held.length === 0 ? data : Buffer.concat([held, data])
    if (!isReady && held.subarray(0, ready.length).equals(ready)) {
      isReady = true
      held = held.subarray(ready.length)
    }
    settle()
  })
  stream
    .on('error', settle)
    .on('close', settle)
    .on('end', () => stream.destroy())

  function run(script: string): Promise<ExecOutcome | undefined> {
    const mark = newMark()
    const done = Buffer.from(loopDoneText(mark))
    return new Promise((resolve) => {
      const late = (): void => end({ kind: 'timed-out', ...(!isReady && { isLogin: true }) }, true)
      const timer = setTimeout(late, limits.command * 1_000)
      function end(outcome: ExecOutcome | undefined, isBroken: boolean): void {
        clearTimeout(timer)
        received = undefined
        held = Buffer.alloc(0)
        if (isBroken) stream.destroy()
        resolve(outcome)
      }
      let searched = 0
      received = () => {
        if (stream.destroyed) return end(undefined, false)
        const at = isReady ? held.indexOf(done, Math.max(0, searched - done.length)) : -1
        searched = held.length
        if (at >= 0) {
          const answer = answerIn(held.toString('utf8', 0, at), mark, limits.output)
          end(answer, answer === undefined)
        } else if (held.length > maxOutputBytes) {
          const stdout = held.toString('utf8', 0, limits.output)
          end({ kind: 'finished', stdout, stderr: '', status: null }, true)
        }
      }
      stream.write(loopRequest(mark, script))
      settle()
    })
  }
  return {
    run,
    isOpen: (): boolean => !stream.destroyed,
  }
}

/**
 * Runs scripts like `SshConnection.exec`, one after another, in one channel that stays open. A channel for each script costs
 * several packets. The first script has a separate channel, which shows how the login ends. So has every script if this
 * machine refuses the open channel or ends it without an answer, after a script that timed out, or if a channel costs a
 * process or a sign-in.
 */
export function scriptShell(connection: SshConnection, limits: ExecLimits = connectionLimits) {
  const closing = new AbortController()
  let loop: ReturnType<typeof loopOver> | undefined
  let hasAnswered = false
  /** A channel or a script timed out. A process that the script left behind may delay every answer. */
  let isSlow = false
  let mayUseLoop: boolean | undefined = connection.hasCheapChannels === true ? undefined : false
  let loginOutput: string | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** Rejects if the machine refuses the channel, or does not open it in time. */
  async function openLoop(): Promise<ReturnType<typeof loopOver>> {
    const late = new AbortController()
    const timer = setTimeout(() => {
      isSlow = true
      late.abort()
    }, limits.command * 1_000)
    const signal = AbortSignal.any([closing.signal, late.signal])
    const timedOut = new Promise<never>((_, reject) => onAbort(late.signal, () => reject(new Error('late'))))
    try {
      const { stream } = await Promise.race([connection.pipe(scriptLoop, signal, true), timedOut])
      return loopOver(stream, limits)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Runs a script in the open channel. Returns undefined without an answer. */
  async function runInLoop(script: string): Promise<ExecOutcome | undefined> {
    if (!loop?.isOpen()) loop = await openLoop().catch(() => undefined)
    const outcome = await loop?.run(script)
    const isAnswer = outcome?.kind === 'finished'
    hasAnswered ||= isAnswer
    isSlow ||= outcome?.kind === 'timed-out'
    mayUseLoop = hasAnswered && !isSlow
    if (!hasAnswered) return undefined
    return isAnswer && loginOutput !== undefined ? { ...outcome, loginOutput } : outcome
  }

  async function runAlone(script: string): Promise<ExecOutcome> {
    const outcome = await connection.exec(script, closing.signal)
    if (outcome.kind === 'finished' && mayUseLoop === undefined) {
      mayUseLoop = outcome.isRefused !== true
      loginOutput = outcome.loginOutput
    }
    return outcome
  }

  async function runNext(script: string): Promise<ExecOutcome> {
    closing.signal.throwIfAborted()
    const answer = mayUseLoop === true ? await runInLoop(script) : undefined
    closing.signal.throwIfAborted()
    return answer ?? runAlone(script)
  }

  return {
    /** Rejects if the connection is lost, and after `close`. */
    exec(script: string): Promise<ExecOutcome> {
      const outcome = last.then(() => runNext(script))
      // Without its output, which would stay in memory.
      last = outcome.then(
        () => undefined,
        () => undefined,
      )
      return outcome
    },
    /** Closes the channel: the shell on the machine ends with its input. */
    close: (): void => closing.abort(new Error('closed')),
  }
}
export type ScriptShell = ReturnType<typeof scriptShell>
