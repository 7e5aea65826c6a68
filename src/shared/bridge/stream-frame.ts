import { z } from 'zod'
import { Failure } from '../failure'

/** Bytes that one side of a stream may have sent before the other has consumed any of them. */
export const creditWindow = 1024 * 1024

/** Bytes of the largest message. A quarter of the window, so that a sender never waits for credit that is held back. */
export const largestMessage = creditWindow / 4

/** Consumed bytes are granted again once there are this many: not every keystroke needs an answer of its own. */
export const grantThreshold = creditWindow / 4

/** What travels over the port of a stream, both ways. */
export const Frame = z.discriminatedUnion('kind', [
  /** `value` is checked by the stream's own schema. */
  z.object({ kind: z.literal('message'), value: z.unknown() }),
  /** The other side may send so many bytes more. */
  z.object({ kind: z.literal('credit'), bytes: z.int().min(1).max(creditWindow) }),
  /** No message follows from this side; the other may still send. */
  z.object({ kind: z.literal('end') }),
  /** The stream is over, for both sides; null: as it should be. */
  z.object({ kind: z.literal('close'), failure: Failure.nullable() }),
])
export type Frame = z.infer<typeof Frame>

/** Bytes that every value is charged besides its content, so that empty ones are not free. */
const overhead = 64

export interface MessageWeight {
  /** Bytes that the message takes from the credit. Both sides reckon them, from the checked message. */
  readonly size: number
  /** The buffers of its bytes, which a port may transfer. */
  readonly buffers: ReadonlySet<ArrayBuffer>
}

/** Weighs a message of plain data and bytes. */
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
