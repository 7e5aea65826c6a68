import type { z } from 'zod'
import { type Failure, FailureError } from '../failure'
import { creditWindowBytes, Frame, grantThresholdBytes, maxMessageBytes, weigh } from './stream-frame'

/** A port between two processes or threads: Electron's MessagePortMain, or MessagePort of the page or Node. */
export interface StreamPort {
  /** `transfer`: buffers that may be transferred rather than copied. */
  post(frame: Frame, transfer: readonly ArrayBuffer[]): void
  /** Starts delivery. `closed` is called when nothing more can arrive. */
  connect(listener: { message(frame: unknown): void; closed(): void }): void
  close(): void
}

export interface StreamPeer<Incoming, Outgoing> {
  /**
   * Messages of the peer, for one reader. Credit is granted as they are consumed. Ends with the stream or with the
   * peer's `end`; throws the failure of the stream. Leaving the loop early does not close the stream.
   */
  readonly messages: AsyncIterable<Incoming>
  /**
   * Resolves when the message was posted, in order and within the peer's credit. Fails with the failure of the
   * stream, with cancelled after its end, and with a TypeError or RangeError for an invalid message.
   */
  send(message: Outgoing): Promise<void>
  /** Ends this direction after all its messages. The other side may still send. */
  end(): Promise<void>
  /** Ends the stream for both sides; null: without a failure. Ignored after its end. */
  close(failure: Failure | null): void
  /** Resolves when the stream is over, with its failure. */
  readonly ended: Promise<Failure | null>
}

/** Messages that wait for the peer's credit, in order. */
function createSendQueue() {
  interface Waiting {
    readonly size: number
    post(): void
    resolve(): void
    reject(error: unknown): void
  }
  const waiting: Waiting[] = []
  let credit = creditWindowBytes

  /** Posts messages while the credit suffices. A message that has to wait holds back the rest. */
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

  return {
    add: (size: number, post: () => void): Promise<void> =>
      new Promise((resolve, reject) => {
        waiting.push({ size, post, resolve, reject })
        flush()
      }),
    /** Returns false if more credit was granted than sent. */
    addCredit(bytes: number): boolean {
      if (bytes > creditWindowBytes - credit) return false
      credit += bytes
      flush()
      return true
    },
    rejectAll(error: FailureError): void {
      for (const { reject } of waiting.splice(0)) reject(error)
    },
  }
}

/** Received messages that wait for the reader. `grant` is called with the bytes that were consumed. */
function createInbox<Incoming>(schema: z.ZodType<Incoming>, grant: (bytes: number) => void) {
  const received: { readonly value: Incoming; readonly size: number }[] = []
  /** Received bytes that were not granted again; some of them are consumed. */
  let outstanding = 0
  let consumed = 0
  /** Set when no further message comes. */
  let closed: { readonly failure: Failure | null } | undefined
  let wakeReader: (() => void) | undefined

  function consume(size: number): void {
    consumed += size
    if (consumed < grantThresholdBytes) return
    grant(consumed)
    outstanding -= consumed
    consumed = 0
  }

  async function* read(): AsyncGenerator<Incoming, void> {
    for (;;) {
      const next = received.shift()
      if (next) {
        yield next.value
        consume(next.size)
      } else if (closed?.failure) throw new FailureError(closed.failure)
      else if (closed) return
      else await new Promise<void>((resolve) => (wakeReader = resolve))
    }
  }

  return {
    messages: read(),
    /** Returns false if the message is invalid, too large, beyond the granted credit, or came after the end. */
    accept(value: unknown): boolean {
      const parsed = schema.safeParse(value)
      if (!parsed.success || closed) return false
      const { size } = weigh(parsed.data)
      if (size > maxMessageBytes || outstanding + size > creditWindowBytes) return false
      outstanding += size
      received.push({ value: parsed.data, size })
      wakeReader?.()
      return true
    },
    /** Ends the messages. Unread messages can still be read. */
    close(failure: Failure | null): void {
      closed = { failure }
      wakeReader?.()
    },
    clear(): void {
      received.length = 0
    },
  }
}

/**
 * Creates one side of a stream, in the window or in the main process. Validates arriving messages and keeps to the credit
 * in both directions. Sent messages pass their schema too, so that both sides compute the same credit and bytes leave
 * their shared buffer. The stream fails with `refusal` if the peer breaks a rule.
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
  let over: { readonly failure: Failure | null } | undefined
  let isEndSent = false
  let reportEnd: (failure: Failure | null) => void
  const ended = new Promise<Failure | null>((resolve) => (reportEnd = resolve))
  const queue = createSendQueue()
  const inbox = createInbox(incoming, (bytes) => {
    if (!over) port.post({ kind: 'credit', bytes }, [])
  })

  const closedError = (failure: Failure | null) => new FailureError(failure ?? { kind: 'cancelled' })

  function finish(failure: Failure | null): void {
    over = { failure }
    queue.rejectAll(closedError(failure))
    inbox.close(failure)
    port.close()
    reportEnd(failure)
  }

  function close(failure: Failure | null): void {
    if (over) return
    inbox.clear()
    port.post({ kind: 'close', failure }, [])
    finish(failure)
  }

  const enqueue = (size: number, post: () => void): Promise<void> => {
    if (over) return Promise.reject(closedError(over.failure))
    if (isEndSent) return Promise.reject(new TypeError('the stream was ended by this side'))
    return queue.add(size, post)
  }

  function receive(frame: Frame): boolean {
    switch (frame.kind) {
      case 'message':
        return inbox.accept(frame.value)
      case 'credit':
        return queue.addCredit(frame.bytes)
      case 'end':
        inbox.close(null)
        return true
      case 'close':
        finish(frame.failure)
        return true
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
    messages: inbox.messages,
    async send(message) {
      const parsed = outgoing.safeParse(message)
      if (!parsed.success)
        throw new TypeError(`the message does not fit: ${parsed.error.issues[0]?.path.join('.') ?? ''}`)
      const { size, buffers } = weigh(parsed.data)
      if (size > maxMessageBytes) throw new RangeError('the message is larger than a stream takes')
      await enqueue(size, () => port.post({ kind: 'message', value: parsed.data }, [...buffers]))
    },
    async end() {
      const sent = enqueue(0, () => port.post({ kind: 'end' }, []))
      isEndSent = true
      await sent
    },
    close,
    ended,
  }
}
