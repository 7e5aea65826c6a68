import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { Duplex } from 'node:stream'
import { destroyOnAbort, onAbort } from '../../core/on-abort'
import { errorOf } from './channel-stream'
import { lateOutputTimeoutMs, type PipeFrame, pipeFrame } from './framed-output'
import { maxOutputLength } from './system-process'
import { type ChannelExit, ChannelError, type ChannelOutput, type CommandChannel } from './transport'

/** Exit code of ssh's own failures, and of a command that a signal ended (ssh(1), EXIT STATUS). */
const ownFailure = 255

const exitOf = (code: number | null): ChannelExit => ({
  status: code === ownFailure ? null : code,
  signal: null,
})

/** Time by which the end of a channel can precede the end of its connection. */
const lossDelayMs = 500

/** Runs a task, later if the connection may have ended: channels can end before it. */
function afterLoss(code: number | null, gone: AbortSignal, task: () => void): void {
  if (code !== ownFailure || gone.aborted) return task()
  const timer = setTimeout(end, lossDelayMs)
  // After the channels that fail with the connection.
  const stop = onAbort(gone, () => queueMicrotask(end))
  function end(): void {
    clearTimeout(timer)
    stop()
    task()
  }
}

/** Runs a text in the login shell without input, by an ssh process. Rejects when `gone` or `signal` aborts. */
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

/** Runs a command between two streams, by an ssh process. Rejects with the reason of `signal`. */
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

/** Message of ssh once its channel is open: over a shared connection, and over a separate one. */
const isOpen = /master session id|open confirm|Sending subsystem/
/** The last refusal in the output. */
const refusals = /[^]*(open failed: [^\r\n]*)/

/** The ssh process that keeps the connection of a channel. */
export interface Keeper {
  /** Its output since the channel was requested. */
  output(): string
  /** Whether it is still connected. Over a shared connection, ssh returns 0 for a closed channel and for a loss. */
  isConnected(): Promise<boolean>
}

/**
 * Opens a channel between the input and the output of an ssh process. Rejects with ChannelError if the machine opens none.
 * The stream fails with ChannelError when the connection is `gone`.
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
    let output = ''
    const fail = (error: Error): void => {
      child.kill()
      reject(error)
    }
    const lose = (): void => fail(errorOf(gone.reason))
    const abort = (): void => fail(errorOf(signal?.reason))
    const stops = [onAbort(gone, lose), onAbort(signal, abort)]
    const settle = (): void => stops.forEach((stop) => stop())
    const refusal = (): string | undefined => refusals.exec(keeper.output() + output)?.[1]
    const refuse = (): void => {
      settle()
      const reason = refusal() ?? output.trim().split('\n').at(-1) ?? ''
      reject(new ChannelError('refused', reason, /administratively prohibited/.test(reason)))
    }
    const close = (code: number | null): void =>
      refusal() === undefined ? afterLoss(code, gone, refuse) : refuse()
    child.once('error', refuse)
    child.once('close', close)
    child.stdin.on('error', () => undefined)
    child.stderr.on('data', (data: Buffer) => {
      output = (output + data.toString()).slice(-maxOutputLength)
      if (!isOpen.test(output)) return
      child.stderr.removeAllListeners('data').resume()
      child.off('close', close)
      settle()
      resolve(childStream(child, gone, signal, { isConnected: keeper.isConnected }))
    })
  })
}

/** Time by which the end of ssh's output can precede the end of its process. */
const exitDelayMs = 100

/**
 * `isConnected`: for a channel. The stream of a channel fails if ssh fails or is ended, as its separate connection may be
 * lost. The stream of a command, with `frame`, doesn't: its exit shows the loss.
 */
function childStream(
  child: ChildProcessWithoutNullStreams,
  gone: AbortSignal,
  signal: AbortSignal | undefined,
  { isConnected, frame }: { readonly isConnected?: Keeper['isConnected']; readonly frame?: PipeFrame },
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
      // A process whose streams have both ended soon exits, and its exit code is needed.
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
    timer = setTimeout(() => child.kill(), lateOutputTimeoutMs)
  })
  const endIfConnected = async (): Promise<void> => {
    if (!isConnected || (await isConnected())) end()
  }
  child.stdout.on('end', () => {
    if (!isConnected) end()
    // Pending events first: timers run before them.
    else timer = setTimeout(() => setImmediate(() => void endIfConnected()), exitDelayMs)
  })
  const isLostWith = async (code: number | null): Promise<boolean> =>
    isConnected !== undefined && (code === null || code === ownFailure || !(await isConnected()))
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
