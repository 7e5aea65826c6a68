import type { Clock } from '../core/clock'

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

/** Bytes that arrive in less are put together up to here: a byte kept by itself takes two hundred. */
const pieceBytes = 4 * 1024

function append(pieces: Uint8Array[], bytes: Uint8Array): void {
  const last = pieces.at(-1)
  if (last && last.length + bytes.length <= pieceBytes)
    pieces[pieces.length - 1] = Buffer.concat([last, bytes])
  else pieces.push(bytes)
}

export interface Flow {
  pause(): void
  resume(): void
}

/** What a terminal prints: the last of it is kept, and one reader at a time gets all that follows. */
export function createOutput(clock: Pick<Clock, 'after'>) {
  const kept: Uint8Array[] = []
  let keptSize = 0
  /** Bytes, the newest, that no reader had yet. */
  let unread = 0
  let waiting: Uint8Array[] | undefined
  let waitingSize = 0
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

  /** One message out of what waits, of so many bytes at most. */
  function take(chunks: Uint8Array[], most: number): Uint8Array {
    const message = new Uint8Array(Math.min(waitingSize, messageBytes, most))
    for (let length = 0; length < message.length;) {
      const [first = message] = chunks
      const part = first.subarray(0, message.length - length)
      message.set(part, length)
      length += part.length
      if (part.length < first.length) chunks[0] = first.subarray(part.length)
      else chunks.shift()
    }
    waitingSize -= message.length
    if (waitingSize <= lowWater) resume()
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
      append(kept, bytes)
      keptSize += bytes.length
      unread += bytes.length
      for (let [first] = kept; first && keptSize - first.length >= keptBytes; [first] = kept) {
        kept.shift()
        keptSize -= first.length
      }
      if (waiting === undefined) return
      append(waiting, bytes)
      waitingSize += bytes.length
      if (waitingSize > highWater && !isPaused) {
        isPaused = true
        flow?.pause()
      }
      wake()
    },
    /** The last thousand bytes. */
    tail: (): string => Buffer.concat(kept).subarray(-1_000).toString('latin1'),
    /**
     * What is kept and an earlier reader had, an empty message, then what is new, until the output is closed, or
     * another reader begins.
     */
    async *read(): AsyncGenerator<Uint8Array, void> {
      const own = [...kept]
      waiting = own
      waitingSize = keptSize
      unread = Math.min(unread, keptSize)
      wake()
      resume()
      try {
        for (let again = keptSize - unread; again > 0 && waiting === own && !isClosed;) {
          const message = take(own, again)
          again -= message.length
          yield message
        }
        if (waiting === own && !isClosed) yield new Uint8Array()
        while (waiting === own && !isClosed) {
          if (waitingSize >= messageBytes || (waitingSize > 0 && !isGathering)) {
            gather()
            const message = take(own, messageBytes)
            unread -= message.length
            yield message
          } else await new Promise<void>((resolve) => (wake = resolve))
        }
      } finally {
        if (waiting === own) {
          waiting = undefined
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
