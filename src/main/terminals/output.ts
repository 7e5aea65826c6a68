import type { Clock } from '../core/clock'
import { createHistory } from './history'

/** Bytes that a window shows again after it was closed or loaded anew. */
const keptBytes = 512 * 1024
/** Bytes that wait for the window before the program has to wait, and those at which it resumes. */
const highWater = 256 * 1024
const lowWater = 128 * 1024
/** Bytes of one message to the window: less than a stream takes at once. */
const messageBytes = 192 * 1024
/**
 * Seconds after a message in which what is printed is gathered for the next one, unless that is full before: a
 * pseudo-terminal gives 4 kB at a time, and each message takes main and the window as long as drawing some 4 kB does.
 */
const gatherTime = 0.004

export interface Flow {
  pause(): void
  resume(): void
}

/** What a terminal prints: the last of it is kept, and one reader at a time gets all that follows. */
export function createOutput(clock: Pick<Clock, 'after'>) {
  const history = createHistory(keptBytes + highWater)
  /** The place that the reader has come to. */
  let reader: { at: number } | undefined
  /** The place behind all that any reader had. */
  let unread = 0
  let wake = (): void => undefined
  let flow: Flow | undefined
  let isPaused = false
  let isClosed = false
  let isGathering = false
  let endGathering = (): void => undefined

  function gather(): void {
    endGathering()
    isGathering = true
    endGathering = clock.after(gatherTime, () => {
      isGathering = false
      wake()
    })
  }

  function resume(): void {
    if (isPaused) flow?.resume()
    isPaused = false
  }

  const waiting = (own: { readonly at: number }): number => history.end() - own.at

  /** The next message for a reader, of so many bytes at most. */
  function take(own: { at: number }, most: number): Uint8Array {
    const message = history.read(own.at, Math.min(messageBytes, most))
    own.at += message.length
    if (waiting(own) <= lowWater) resume()
    return message
  }

  return {
    /** The program that prints from now on. */
    follow(next: Flow | undefined): void {
      flow = next
      isPaused = false
    },
    push(bytes: Uint8Array): void {
      // Drops the output of a program whose terminal was closed.
      if (isClosed) return
      const keptFrom = Math.max(0, history.end() + bytes.length - keptBytes)
      history.push(bytes, Math.min(keptFrom, reader?.at ?? keptFrom))
      if (!reader) return
      if (waiting(reader) > highWater && !isPaused) {
        isPaused = true
        flow?.pause()
      }
      wake()
    },
    /** The last thousand bytes. */
    tail: (): string =>
      Buffer.from(history.read(Math.max(0, history.end() - 1_000), 1_000)).toString('latin1'),
    /**
     * What is kept and an earlier reader had, an empty message, then what is new, until the output is closed, or
     * another reader begins.
     */
    async *read(): AsyncGenerator<Uint8Array, void> {
      const own = { at: Math.max(0, history.end() - keptBytes) }
      const isRead = (): boolean => reader === own && !isClosed
      reader = own
      unread = Math.max(unread, own.at)
      const again = unread
      wake()
      resume()
      try {
        while (own.at < again && isRead()) yield take(own, again - own.at)
        if (isRead()) yield new Uint8Array()
        while (isRead()) {
          if (waiting(own) >= messageBytes || (waiting(own) > 0 && !isGathering)) {
            gather()
            const message = take(own, messageBytes)
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
      endGathering()
      wake()
    },
  }
}
