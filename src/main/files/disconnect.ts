import type { Clock } from '../core/clock'

/** Seconds in which what transfers have copied is removed before their connections are closed. */
const disconnectTimeoutSeconds = 3

/** Disconnects once transfers have ended, or take too long to, and resolves once they have. */
export async function leave(
  clock: Pick<Clock, 'after'>,
  ended: Promise<void>,
  disconnect: () => void,
): Promise<void> {
  let cancel = (): void => undefined
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(disconnectTimeoutSeconds, resolve)
  })
  await Promise.race([ended, late])
  cancel()
  disconnect()
  await ended
}
