import { setMaxListeners } from 'node:events'
import { addAbortSignal, type Duplex } from 'node:stream'

/** Requests may share a signal; Node warns of a leak from the eleventh listener on. */
const allowListeners = (signal: AbortSignal): void => setMaxListeners(0, signal)

/** Calls `listener` when `signal` aborts. Returns a function that removes the listener. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => undefined
  allowListeners(signal)
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}

export function destroyOnAbort(signal: AbortSignal | undefined, stream: Duplex): Duplex {
  if (signal === undefined) return stream
  allowListeners(signal)
  return addAbortSignal(signal, stream)
}
