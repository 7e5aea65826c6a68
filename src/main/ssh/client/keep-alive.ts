import type { Duplex } from 'node:stream'
import type { Client } from 'ssh2'
import { maxUnanswered } from './transport'

/** Sends `keepalive@openssh.com` (PROTOCOL §2.4). Any answer, also a refusal, proves that the server is alive. */
function ping(client: Client): void {
  const protocol: unknown = Reflect.get(client, '_protocol')
  const callbacks: unknown = Reflect.get(client, '_callbacks')
  if (typeof protocol !== 'object' || protocol === null || !Array.isArray(callbacks)) return
  const send: unknown = Reflect.get(protocol, 'ping')
  if (typeof send !== 'function') return
  // ssh2 answers global requests in order: each needs its place in the queue.
  callbacks.push(() => undefined)
  Reflect.apply(send, protocol, [])
}

/**
 * Calls `lost` once a connection was silent for `maxUnanswered` + 1 intervals. Any received byte counts as a sign of life,
 * as with OpenSSH. ssh2's own keep-alive counts only answers to its pings, which wait behind a slow upload, and its interval
 * cannot change while the connection is open.
 */
export function keepAlive(client: Client, socket: Duplex, seconds: number, lost: () => void) {
  let interval = seconds
  let unanswered = 0
  let timer: NodeJS.Timeout | undefined

  function tick(): void {
    unanswered += 1
    if (unanswered > maxUnanswered) {
      clearInterval(timer)
      return lost()
    }
    if (socket.writable) ping(client)
  }
  function restart(): void {
    clearInterval(timer)
    timer = setInterval(tick, interval * 1_000)
  }
  /** Refreshes the timer, which is cheaper than a new one for each packet. */
  const received = (): void => {
    unanswered = 0
    timer?.refresh()
  }
  const stop = (): void => clearInterval(timer)
  socket.on('data', received)
  socket.once('close', stop)
  restart()
  return {
    /** Sets the seconds between two pings, and starts counting again. */
    setInterval(next: number): void {
      if (next === interval) return
      interval = next
      unanswered = 0
      if (!socket.destroyed) restart()
    },
  }
}
