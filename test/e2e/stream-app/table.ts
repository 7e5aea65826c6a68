import { z } from 'zod'
import { Bytes, stream, type StreamRows, type StreamTypes } from '../../../src/shared/bridge/define'

const streams = {
  /** Echoes its input in order. */
  'test.echo': stream({ input: z.object({}), up: Bytes, down: Bytes }),
  /** Sends until it is cancelled. */
  'test.endless': stream({ input: z.object({}), up: z.never(), down: Bytes }),
} as const

export type TestStreams = StreamTypes<typeof streams>
export const rows: StreamRows<TestStreams> = streams

/** Continues a checksum (FNV-1a over 32-bit words) with bytes whose length is a multiple of four. */
export function checksum(previous: number, bytes: Uint8Array): number {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
  return words.reduce((sum, word) => Math.imul(sum ^ word, 16_777_619), previous)
}
