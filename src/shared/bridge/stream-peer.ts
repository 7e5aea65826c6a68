import type { z } from 'zod'
import { type Failure, FailureError } from '../failure'
import { creditWindow, Frame, grantThreshold, largestMessage, weigh } from './stream-frame'

/** One end of a channel between two processes or threads: Electron's MessagePortMain, the page's or Node's MessagePort. */
export interface StreamPort {
  /** `transfer` is what may be handed over instead of copied. */
  post(frame: Frame, transfer: readonly ArrayBuffer[]): void
  /** Begins to deliver. `closed` is called once nothing more can arrive. */
  connect(listener: { message(frame: unknown): void; closed(): void }): void
  close(): void
}

export interface StreamPeer<Incoming, Outgoing> {
  /**
   * What the other side sends, for one reader; it is granted more only as it consumes. Ends with the stream or with
   * the other side's `end`, throws what the stream failed with. Leaving the loop early leaves the stream open.
   */
  readonly messages: AsyncIterable<Incoming>
  /**
   * Resolves once the other side's credit covers the message and it is on its way, in order. Fails with what the
   * stream failed with, cancelled where it is over; a TypeError or RangeError for a message that breaks the contract.
   */
  send(message: Outgoing): Promise<void>
  /** No message follows from this side; the other may still send. Sent after all messages. */
  end(): Promise<void>
  /** Ends the stream for both sides; null: as it should end. Does nothing where it is over. */
  close(failure: Failure | null): void
  /** Resolves once the stream is over, with what it failed with. */
  readonly ended: Promise<Failure | null>
}

/**
 * One side of a stream, the same in the window and in the main process: validates every message on arrival, sends
 * within the credit that the other side grants, and lets nothing arrive beyond the credit that it granted itself.
 * `refusal` is what the stream fails with where the other side breaks one of these rules.
 */
export function createStreamPeer<Incoming, Outgoing>({
  port,
  incoming,
  outgoing,
  refusal,
}: {
  readonly port: StreamPort
  readonly incoming: z.ZodType<Incoming>
  readonly outgoing: z.ZodType<Outgoing>
  readonly refusal: Failure
}): StreamPeer<Incoming, Outgoing> {
  interface Waiting {
    readonly size: number
    post(): void
    resolve(): void
    reject(error: unknown): void
  }
  const waiting: Waiting[] = []
  /** Bytes that this side may still send. */
  let credit = creditWindow
  const received: { readonly value: Incoming; readonly size: number }[] = []
  /** Bytes that arrived and were not granted again; some of them are consumed. */
  let outstanding = 0
  let consumed = 0
  let endSent = false
  let endReceived = false
  let over: { readonly failure: Failure | null } | undefined
  let wakeReader: (() => void) | undefined
  let reportEnd: (failure: Failure | null) => void
  const ended = new Promise<Failure | null>((resolve) => (reportEnd = resolve))

  const closedError = (failure: Failure | null) => new FailureError(failure ?? { kind: 'cancelled' })

  function finish(failure: Failure | null): void {
    over = { failure }
    for (const { reject } of waiting.splice(0)) reject(closedError(failure))
    wakeReader?.()
    port.close()
    reportEnd(failure)
  }

  function close(failure: Failure | null): void {
    if (over) return
    received.length = 0
    port.post({ kind: 'close', failure }, [])
    finish(failure)
  }

  /** Sends what the credit covers; the first that has to wait holds back those behind it. */
  function flush(): void {
    for (let next = waiting[0]; next && next.size <= credit; next = waiting[0]) {
      waiting.shift()
      try {
        next.post()
        credit -= next.size
        next.resolve()
      } catch (error) {
        next.reject(error)
      }
    }
  }

  const enqueue = (size: number, post: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      if (over) return reject(closedError(over.failure))
      if (endSent) return reject(new TypeError('the stream was ended by this side'))
      waiting.push({ size, post, resolve, reject })
      flush()
    })

  function accept(value: unknown): boolean {
    const parsed = incoming.safeParse(value)
    if (!parsed.success || endReceived) return false
    const { size } = weigh(parsed.data)
    if (size > largestMessage || outstanding + size > creditWindow) return false
    outstanding += size
    received.push({ value: parsed.data, size })
    wakeReader?.()
    return true
  }

  /** Whether the frame keeps to the rules. */
  function receive(frame: Frame): boolean {
    switch (frame.kind) {
      case 'message':
        return accept(frame.value)
      case 'credit':
        if (frame.bytes > creditWindow - credit) return false
        credit += frame.bytes
        flush()
        return true
      case 'end':
        endReceived = true
        wakeReader?.()
        return true
      case 'close':
        finish(frame.failure)
        return true
    }
  }

  function grant(size: number): void {
    consumed += size
    if (over || consumed < grantThreshold) return
    port.post({ kind: 'credit', bytes: consumed }, [])
    outstanding -= consumed
    consumed = 0
  }

  async function* read(): AsyncGenerator<Incoming, void> {
    for (;;) {
      const next = received.shift()
      if (next) {
        yield next.value
        grant(next.size)
      } else if (over?.failure) throw new FailureError(over.failure)
      else if (over || endReceived) return
      else await new Promise<void>((resolve) => (wakeReader = resolve))
    }
  }

  port.connect({
    message: (message) => {
      if (over) return
      const frame = Frame.safeParse(message)
      if (!frame.success || !receive(frame.data)) close(refusal)
    },
    closed: () => {
      if (!over) finish({ kind: 'cancelled' })
    },
  })

  return {
    messages: read(),
    async send(message) {
      const parsed = outgoing.safeParse(message)
      if (!parsed.success)
        throw new TypeError(`the message does not fit: ${parsed.error.issues[0]?.path.join('.') ?? ''}`)
      const { size, buffers } = weigh(parsed.data)
      if (size > largestMessage) throw new RangeError('the message is larger than a stream takes')
      await enqueue(size, () => port.post({ kind: 'message', value: parsed.data }, [...buffers]))
    },
    async end() {
      const sent = enqueue(0, () => port.post({ kind: 'end' }, []))
      endSent = true
      await sent
    },
    close,
    ended,
  }
}
