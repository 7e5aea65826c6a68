import { writeSync } from 'node:fs'
import { OutputClosed } from './terminal'

/** Time until a full pipe is tried again. */
const fullPipeMs = 5

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : '')

/** Writes data to an open file completely. A pipe may be full for a while. Throws OutputClosed. */
export function writeFile(file: number, data: string | Buffer): void {
  let rest = Buffer.from(data)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(file, rest))
    } catch (error) {
      if (codeOf(error) === 'EPIPE') throw new OutputClosed()
      if (codeOf(error) !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullPipeMs)
    }
  }
}
