import type { Clock } from '../core/clock'
import { createHistory } from './history'

/** Bytes that a window shows again after it was closed or reloaded. */
const replayedBytes = 512 * 1024
/** Bytes waiting for the window at which the program pauses, and at which it resumes. */
const highWater = 256 * 1024
const lowWater = 128 * 1024
/** Bytes of one message to the window: less than a stream's limit. */
const messageBytes = 192 * 1024
/**
 * Seconds after a message to collect output for the next, unless a message is full before. A pseudo-terminal delivers 4 kB
 * at a time, and sending a message costs as much as drawing 4 kB.
 */
const collectSeconds = 0.004
const tailBytes = 1_000

export interface Flow {
  pause(): void
  resume(): void
}

export function createOutput(clock: Pick<Clock, 'after'>) {
  const history = createHistory(replayedBytes + highWater)
  let reader: { at: number } | undefined
  /** Position after all output that any reader received. */
  let unread = 0
  let wake = (): void => undefined
  let flow: Flow | undefined
  let isPaused = false
  let isClosed = false
  let isCollecting = false
  let cancelCollecting = (): void => undefined

  function collect(): void {
    cancelCollecting()
    isCollecting = true
    cancelCollecting = clock.after(collectSeconds, () => {
      isCollecting = false
      wake()
    })
  }

  function resume(): void {
    if (isPaused) flow?.resume()
    isPaused = false
  }

  const waiting = (own: { readonly at: number }): number => history.end() - own.at

  function nextMessage(own: { at: number }, maxBytes: number): Uint8Array {
    const message = history.read(own.at, Math.min(messageBytes, maxBytes))
    own.at += message.length
    if (waiting(own) <= lowWater) resume()
    return message
  }

  return {
    follow(next: Flow | undefined): void {
      flow = next
      isPaused = false
    },
    push(bytes: Uint8Array): void {
      if (isClosed) return
      const replayedFrom = Math.max(0, history.end() + bytes.length - replayedBytes)
      history.push(bytes, Math.min(replayedFrom, reader?.at ?? replayedFrom))
      if (!reader) return
      if (waiting(reader) > highWater && !isPaused) {
        isPaused = true
        flow?.pause()
      }
      wake()
    },
    tail: (): string =>
      Buffer.from(history.read(Math.max(0, history.end() - tailBytes), tailBytes)).toString('latin1'),
    /**
     * Yields the stored output that an earlier reader received, an empty message, then new output. Ends when the output is
     * closed or another reader begins.
     */
    async *read(): AsyncGenerator<Uint8Array, void> {
      const own = { at: Math.max(0, history.end() - replayedBytes) }
      const isRead = (): boolean => reader === own && !isClosed
      reader = own
      unread = Math.max(unread, own.at)
      const replayedTo = unread
      wake()
      resume()
      try {
        while (own.at < replayedTo && isRead()) yield nextMessage(own, replayedTo - own.at)
        if (isRead()) yield new Uint8Array()
        while (isRead()) {
          if (waiting(own) >= messageBytes || (waiting(own) > 0 && !isCollecting)) {
            collect()
            const message = nextMessage(own, messageBytes)
            unread = own.at
            yield message
          } else await new Promise<void>((resolve) => (wake = resolve))
        }
      } finally {
        if (reader === own) {
          reader = undefined
          resume()
        }
      }
    },
    close(): void {
      isClosed = true
      cancelCollecting()
      wake()
    },
  }
}
