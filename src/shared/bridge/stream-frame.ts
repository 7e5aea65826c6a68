import { z } from 'zod'
import { Failure } from '../failure'
import { variant } from './define'

/** Bytes that a side may send before its peer has consumed any. */
export const creditWindowBytes = 1024 * 1024

/** Largest message in bytes. A quarter of the window, so that a sender never waits for credit that is held back. */
export const maxMessageBytes = creditWindowBytes / 4

/** Consumed bytes before credit is granted again, so that not every keystroke causes an answer. */
export const grantThresholdBytes = creditWindowBytes / 4

export const Frame = z.discriminatedUnion('kind', [
  variant('message', { value: z.unknown() }),
  /** Grants the peer further bytes. */
  variant('credit', { bytes: z.int().min(1).max(creditWindowBytes) }),
  /** This side sends no further messages; its peer may still send. */
  variant('end', {}),
  variant('close', { failure: Failure.nullable() }),
])
export type Frame = z.infer<typeof Frame>

/** Bytes charged per value besides its content, so that empty values are not free. */
const overhead = 64

export interface MessageWeight {
  /** Credit of the message in bytes. Both sides compute it from the validated message. */
  readonly size: number
  /** Buffers of its bytes, which a port may transfer. */
  readonly buffers: ReadonlySet<ArrayBuffer>
}

export function weigh(message: unknown): MessageWeight {
  const buffers = new Set<ArrayBuffer>()
  const sizeOf = (value: unknown): number => {
    if (typeof value === 'string') return overhead + 2 * value.length
    if (typeof value !== 'object' || value === null) return overhead
    if (value instanceof Uint8Array) {
      if (value.buffer instanceof ArrayBuffer) buffers.add(value.buffer)
      return overhead + value.byteLength
    }
    return Object.entries(value).reduce(
      (size, [key, member]) => size + (Array.isArray(value) ? 0 : 2 * key.length) + sizeOf(member),
      overhead,
    )
  }
  return { size: sizeOf(message), buffers }
}
