import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { Duplex } from 'node:stream'
import { destroyOnAbort, onAbort } from '../../core/on-abort'
import { errorOf } from './channel-stream'
import { lateOutputWithin, type PipeFrame, pipeFrame } from './framed-output'
import { type ChannelExit, ChannelError, type ChannelOutput, type CommandChannel } from './transport'

/** ssh's own failure, and that of a command that ended so or by a signal (ssh(1), EXIT STATUS). */
const ownFailure = 255

const exitOf = (code: number | null): ChannelExit => ({
  status: code === ownFailure ? null : code,
  signal: null,
})

/** Milliseconds that the end of the kept connection may be seen after that of what it carried. */
const lossSeenWithin = 500

/** Waits where it may be the connection that has ended: its channels can be seen to end before it. */
function afterLoss(code: number | null, gone: AbortSignal, task: () => void): void {
  if (code !== ownFailure || gone.aborted) return task()
  const timer = setTimeout(end, lossSeenWithin)
  // What fails with the connection does so first.
  const stop = onAbort(gone, () => queueMicrotask(end))
  function end(): void {
    clearTimeout(timer)
    stop()
    task()
  }
}

/** Characters of what ssh says that are kept. */
const longestText = 16_000

/** Runs a text in the login shell, without input, by an ssh of its own. Rejects once the connection is `gone`, or with `signal`. */
export function commandOf(
  start: () => ChildProcessWithoutNullStreams,
  output: ChannelOutput,
  gone: AbortSignal,
  signal: AbortSignal,
): Promise<ChannelExit> {
  return new Promise((resolve, reject) => {
    const ending = AbortSignal.any([gone, signal])
    if (ending.aborted) return reject(errorOf(ending.reason))
    const child = start()
    const abort = (): void => {
      child.kill()
      reject(errorOf(ending.reason))
    }
    const stop = onAbort(ending, abort)
    child.stdin.on('error', () => undefined).end()
    child.stdout.on('data', output.stdout)
    child.stderr.on('data', output.stderr)
    child.on('error', (error) => reject(new ChannelError('refused', error.message)))
    child.on('close', (code) =>
      afterLoss(code, gone, () => {
        stop()
        resolve(exitOf(code))
      }),
    )
  })
}

/** Runs a command by an ssh of its own, between its input and its output. Rejects with the reason of `signal`. */
export async function pipeOf(
  start: (text: string) => ChildProcessWithoutNullStreams,
  command: string,
  gone: AbortSignal,
  signal?: AbortSignal,
): Promise<CommandChannel> {
  signal?.throwIfAborted()
  const frame = pipeFrame(command)
  const child = start(frame.text)
  child.stdin.on('error', () => undefined)
  child.stderr.resume()
  const exit = new Promise<ChannelExit>((resolve) => {
    child.on('error', () => resolve(exitOf(null)))
    child.on('close', (code) => afterLoss(code, gone, () => resolve(frame.exit() ?? exitOf(code))))
  })
  return { exit, stream: childStream(child, gone, signal, { frame }) }
}

/** ssh says so once its channel is open: over the kept connection, and over one of its own. */
const isOpen = /master session id|open confirm|Sending subsystem/
/** The last of them. */
const refusals = /[^]*(open failed: [^\r\n]*)/

/** The ssh that keeps the connection of a channel. */
export interface Keeper {
  /** Its output since the channel was requested. */
  said(): string
  /** Whether the connection still stands. Over a shared one, ssh returns 0 both for a closed channel and for a lost line. */
  keeps(): Promise<boolean>
}

/**
 * A channel that an ssh of its own carries between its input and its output. Rejects with ChannelError where the machine
 * opens none; the stream ends with one once the connection is `gone`.
 */
export function streamOf(
  start: () => ChildProcessWithoutNullStreams,
  gone: AbortSignal,
  keeper: Keeper,
  signal?: AbortSignal,
): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(errorOf(signal.reason))
    const child = start()
    let said = ''
    const fail = (error: Error): void => {
      child.kill()
      reject(error)
    }
    const lose = (): void => fail(errorOf(gone.reason))
    const abort = (): void => fail(errorOf(signal?.reason))
    const stops = [onAbort(gone, lose), onAbort(signal, abort)]
    const settle = (): void => stops.forEach((stop) => stop())
    const refusal = (): string | undefined => refusals.exec(keeper.said() + said)?.[1]
    const refuse = (): void => {
      settle()
      const reason = refusal() ?? said.trim().split('\n').at(-1) ?? ''
      reject(new ChannelError('refused', reason, /administratively prohibited/.test(reason)))
    }
    const close = (code: number | null): void =>
      refusal() === undefined ? afterLoss(code, gone, refuse) : refuse()
    child.once('error', refuse)
    child.once('close', close)
    child.stdin.on('error', () => undefined)
    child.stderr.on('data', (data: Buffer) => {
      said = (said + data.toString()).slice(-longestText)
      if (!isOpen.test(said)) return
      child.stderr.removeAllListeners('data').resume()
      child.off('close', close)
      settle()
      resolve(childStream(child, gone, signal, { keeps: keeper.keeps }))
    })
  })
}

/** Milliseconds that the end of an ssh may be seen after that of its output. */
const endSeenWithin = 100

/**
 * `keeps`, for a channel: whether its connection still stands. The stream of a channel fails if ssh fails or is ended, as
 * a connection of its own may be lost. The loss of a command is in its exit.
 */
function childStream(
  child: ChildProcessWithoutNullStreams,
  gone: AbortSignal,
  signal: AbortSignal | undefined,
  { keeps, frame }: { readonly keeps?: Keeper['keeps']; readonly frame?: PipeFrame },
): Duplex {
  let timer: NodeJS.Timeout | undefined
  const stream = new Duplex({
    read: () => void child.stdout.resume(),
    write: (chunk: Buffer, _encoding, done) =>
      void child.stdin.write(chunk, (error) =>
        done(error ? new ChannelError('lost', 'channel closed') : null),
      ),
    final: (done) => void child.stdin.end(() => done()),
    destroy(error, done) {
      clearTimeout(timer)
      // One that has ended both ways ends by itself, and says how: over a connection of its own a moment later.
      const isHeldOpen = frame?.hasEnded() ?? false
      if (!stream.readableEnded || !stream.writableFinished || isHeldOpen) child.kill()
      done(error)
    },
  })
  function lose(): void {
    child.kill()
    stream.destroy(errorOf(gone.reason))
  }
  const stop = onAbort(gone, lose)
  const neverBegan = (): boolean => frame !== undefined && !frame.hasBegun()
  let hasEnded = false
  const end = (): void => {
    if (!hasEnded && !neverBegan()) {
      const rest = frame?.rest()
      if (rest) stream.push(rest)
      stream.push(null)
    }
    hasEnded = true
  }
  child.stdout.on('data', (data: Buffer) => {
    const hadEnded = frame?.hasEnded() ?? false
    const printed = frame ? frame.read(data) : data
    if (printed && printed.length > 0 && !stream.push(printed)) child.stdout.pause()
    if (hadEnded || !frame?.hasEnded()) return
    end()
    timer = setTimeout(() => child.kill(), lateOutputWithin)
  })
  const endIfKept = async (): Promise<void> => {
    if (!keeps || (await keeps())) end()
  }
  child.stdout.on('end', () => {
    if (!keeps) end()
    // What has happened by then is seen before: timers come before it.
    else timer = setTimeout(() => setImmediate(() => void endIfKept()), endSeenWithin)
  })
  const isLostWith = async (code: number | null): Promise<boolean> =>
    keeps !== undefined && (code === null || code === ownFailure || !(await keeps()))
  async function close(code: number | null): Promise<void> {
    clearTimeout(timer)
    const isCut = await isLostWith(code)
    if (!isCut) end()
    afterLoss(code, gone, () => {
      stop()
      if (isCut) stream.destroy(new ChannelError('lost', 'connection lost'))
      else if (neverBegan()) stream.destroy(new ChannelError('refused', frame?.loginOutput() ?? ''))
      else stream.end()
    })
  }
  child.on('close', (code) => void close(code))
  if (gone.aborted) lose()
  return destroyOnAbort(signal, stream)
}
