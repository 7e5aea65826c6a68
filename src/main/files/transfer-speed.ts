import type { MonotonicClock } from '../core/clock'

const minMeasureSeconds = 1
/** Seconds without a byte until the speed is zero: the connection may be lost without notice. */
const stallSeconds = 10
const smoothing = 0.4

/** Measures the speed of a transfer in bytes a second. Calls `changed` when the transfer may have stalled. */
export function transferSpeed(clock: MonotonicClock, bytesDone: () => number, changed: () => void) {
  let rate: number | null = null
  let sample = { at: 0, bytes: 0 }
  let cancelStall = (): void => undefined

  function begin(nextRate: number | null): void {
    rate = nextRate
    sample = { at: clock.monotonic(), bytes: bytesDone() }
    cancelStall()
    cancelStall = clock.after(stallSeconds, () => {
      if (bytesDone() === sample.bytes) begin(0)
      changed()
    })
  }
  return {
    rate: () => rate,
    restart: (): void => begin(null),
    measure(): void {
      const bytes = bytesDone() - sample.bytes
      const seconds = clock.monotonic() - sample.at
      // A restarted file has fewer bytes.
      if (bytes < 0 || (bytes > 0 && rate === 0)) return begin(null)
      if (bytes === 0 || seconds < minMeasureSeconds) return
      const latest = bytes / seconds
      begin(rate === null ? latest : (1 - smoothing) * rate + smoothing * latest)
    },
    stop: (): void => cancelStall(),
  }
}
export type TransferSpeed = ReturnType<typeof transferSpeed>
