import type { DeliveryOutcome } from '#shared/bridge/notification'
import type { Clock } from '../core/clock'
import { failureOf } from '../core/failure-of'
import { boundedMessage, type Message } from './message'

/** Seconds before a message that was certainly not sent is tried again. A message is tried once more than that. */
const pauses = [30, 120, 600]
/** Longest pause that a target may ask for. */
const maxPauseSeconds = 3_600
/** Upper bound on the messages that wait for a target. */
export const maxWaiting = 50

/** Returns the pause before the next attempt; null: no attempt. Only messages that were certainly not sent are repeated. */
function pauseAfter(outcome: DeliveryOutcome, attempt: number): number | null {
  const pause = pauses[attempt]
  if (pause === undefined) return null
  if (outcome.kind === 'busy') return Math.min(maxPauseSeconds, Math.max(pause, outcome.retryAfter ?? 0))
  if (outcome.kind !== 'failed') return null
  const isPassing = ['offline', 'cannot-connect', 'proxy', 'keychain-unavailable'].includes(
    outcome.failure.kind,
  )
  return isPassing ? pause : null
}

export interface DeliveryDeps {
  readonly clock: Clock
  /** Sends a message once. */
  send(message: Message, signal: AbortSignal): Promise<DeliveryOutcome>
  /** Receives the outcome of every attempt. */
  readonly settled: (outcome: DeliveryOutcome) => void
}

/** Sends the messages of one target, one at a time and in order. */
export function createDelivery({ clock, send, settled }: DeliveryDeps) {
  let waiting: Message[] = []
  let ended = new AbortController()
  let isRunning = false
  let endPause = (): void => undefined

  const sendOnce = (message: Message, signal: AbortSignal): Promise<DeliveryOutcome> =>
    send(message, signal).catch((error: unknown): DeliveryOutcome => ({
      kind: 'unknown',
      failure: failureOf(error, 'notifications.send'),
    }))

  const pause = (seconds: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(seconds, resolve)
      endPause = () => {
        cancel()
        resolve()
      }
    })

  async function deliver(message: Message, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await sendOnce(message, signal)
      if (signal.aborted) return
      settled(outcome)
      const seconds = pauseAfter(outcome, attempt)
      if (seconds === null) return
      await pause(seconds)
      if (signal.aborted) return
    }
  }

  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) await deliver(next, ended.signal)
    } finally {
      isRunning = false
    }
  }

  return {
    add(message: Message): void {
      waiting.push(boundedMessage(message))
      if (waiting.length > maxWaiting) {
        waiting.shift()
        settled({ kind: 'dropped' })
      }
      void run()
    },
    /** Sends a message at once: waiting messages do not delay it. */
    async test(message: Message): Promise<DeliveryOutcome> {
      const { signal } = ended
      const outcome = await sendOnce(boundedMessage(message), signal)
      if (!signal.aborted) settled(outcome)
      return outcome
    },
    /** Drops waiting messages and ends the attempt that runs: the target was changed or removed. */
    clear(): void {
      waiting = []
      ended.abort()
      ended = new AbortController()
      endPause()
    },
  }
}
export type Delivery = ReturnType<typeof createDelivery>
