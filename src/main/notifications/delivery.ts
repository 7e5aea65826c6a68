import type { DeliveryOutcome } from '#shared/bridge/notification'
import { dateFormat } from '#shared/locale'
import { translate } from '#shared/messages/index'
import type { Clock } from '../core/clock'
import { failureOf } from '../core/failure-of'
import { boundedWords, type Message } from './message'

/** Seconds before a message that was certainly not sent is tried again. A message is tried once more than that. */
const pauses = [30, 120, 600]
/** Longest pause that a target may ask for. */
const maxPauseSeconds = 600
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

/** Age in seconds from which a message contains the time of its event. */
const lateSeconds = 60
const eventTime = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })

function withEventTime(message: Message, now: number): Message {
  if (now - message.at < lateSeconds) return message
  const line = translate('notifications.delivery.late', { time: eventTime(message.at) })
  return { ...message, body: message.body === '' ? line : `${message.body}\n${line}` }
}

interface Waiting {
  readonly message: Message
  /** Number of failed attempts. */
  readonly attempts: number
}

/** Sends the messages of one target, one at a time: urgent ones first, and otherwise in order. */
export function createDelivery({ clock, send, settled }: DeliveryDeps) {
  let waiting: Waiting[] = []
  let ended = new AbortController()
  let isRunning = false
  let isTargetBusy = false
  let endPause = (): void => undefined

  const sendOnce = (message: Message, signal: AbortSignal): Promise<DeliveryOutcome> =>
    send(withEventTime(message, clock.now()), signal).catch((error: unknown): DeliveryOutcome => ({
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

  /** Number of urgent messages that wait, which are the first. */
  const urgentCount = (): number => waiting.filter(({ message }) => message.isUrgent).length

  async function deliver({ message, attempts }: Waiting, signal: AbortSignal): Promise<void> {
    const outcome = await sendOnce(message, signal)
    if (signal.aborted) return
    settled(outcome)
    isTargetBusy = outcome.kind === 'busy'
    const seconds = pauseAfter(outcome, attempts)
    if (seconds === null) return
    waiting.splice(message.isUrgent ? 0 : urgentCount(), 0, { message, attempts: attempts + 1 })
    await pause(seconds)
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
    /** Queues a message. An urgent one ends a pause, unless the target itself asked for the pause. */
    add(message: Message): void {
      const { isUrgent } = message
      const place = isUrgent ? urgentCount() : waiting.length
      waiting.splice(place, 0, { message: boundedWords(message), attempts: 0 })
      if (waiting.length > maxWaiting) {
        const urgent = urgentCount()
        waiting.splice(urgent < waiting.length ? urgent : 0, 1)
        settled({ kind: 'dropped' })
      }
      if (isUrgent && !isTargetBusy) endPause()
      void run()
    },
    /** Sends a message at once: waiting messages do not delay it. */
    async test(message: Message): Promise<DeliveryOutcome> {
      const { signal } = ended
      const outcome = await sendOnce(boundedWords(message), signal)
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
