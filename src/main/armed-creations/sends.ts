import type { AccountId } from '#shared/bridge/account'
import type { FlavorView, MachineKind } from '#shared/bridge/catalog'
import type { ArmedCreation, ArmedEnd, ArmedState, Creation } from '#shared/bridge/creation'
import { isOutcomeOpen } from '#shared/earlier-creations'
import { type Failure, FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import { isOfferOf } from '../catalog/views'
import { changedNothing } from '../core/at-most-once'
import type { Clock } from '../core/clock'
import { failureOf } from '../core/failure-of'
import type { ShowNotification } from '../core/notification'
import type { ReportError } from '../core/report-error'
import type { ArmedBook } from './book'
import { createdText, endedText } from './notice'

export interface SendsDeps {
  readonly clock: Clock
  /** Whether requests wait for the user, such as for a proxy sign-in. */
  isHeld(): boolean
  /** Reads the flavors of the service. Fails as the client does. */
  flavors(query: {
    readonly account: AccountId
    readonly kind: MachineKind
    readonly fresh?: boolean
  }): Promise<{ readonly items: readonly FlavorView[] }>
  /**
   * Sends a creation, once. `beforeSending` runs last; if it throws, nothing is sent. After `signal`, its outcome is unknown.
   * Fails as the creation does.
   */
  create(armed: ArmedCreation, beforeSending: () => void, signal: AbortSignal): Promise<Creation>
  /** Writes stored changes through to the disk, so that they outlast a power cut. Returns false if they may not. */
  flush(): boolean
  readonly showNotification: ShowNotification
  readonly report: ReportError
}

/** Age in seconds from which a reading of stock and price no longer allows an order. */
const maxReadingAgeSeconds = 120

/** Sends armed creations, each once, and notifies the user of the result. */
export function createSends(deps: SendsDeps, book: ArmedBook, isClosed: () => boolean) {
  const { clock, report } = deps
  const running = new Map<string, Promise<void>>()
  /** Creations that are being sent although a later reading of the catalog no longer allows it. */
  const outdated = new Set<string>()
  /** Ends that the user was notified of, as a failed write repeats them. */
  const notified = new Set<string>()

  function notify({ account, order }: ArmedCreation, words: Parameters<ShowNotification>[1]): void {
    const page = order.kind === 'machine' ? 'machines' : 'bare-metal'
    deps.showNotification('creation', words, { page, account })
  }
  async function finish(armed: ArmedCreation, why: ArmedEnd, failure: Failure | null = null): Promise<void> {
    const state: ArmedState = { kind: 'ended', why, at: Math.floor(clock.now()), failure }
    const end = `${armed.id} ${why} ${String(armed.expiresAt)}`
    if (!notified.has(end)) notify(armed, endedText({ ...armed, state }, why, translate))
    notified.add(end)
    await book.setState(armed.id, state)
    notified.delete(end)
  }
  /** Waits again after a request that was not sent. */
  const waitAgain = ({ id }: ArmedCreation, failure: Failure | null): Promise<void> =>
    book.setState(id, {
      kind: 'waiting',
      delay: failure && { why: 'not-sent', price: null, failure },
    })

  /** Returns the check that runs last before the request: the stock was read just now, and nothing else has changed. */
  function lastCheck({ id, expiresAt }: ArmedCreation): () => void {
    const readAt = clock.now()
    return () => {
      const now = clock.now()
      const isCurrent = now < expiresAt && Math.abs(now - readAt) <= maxReadingAgeSeconds
      if (isClosed() || !isCurrent || outdated.has(id) || book.find(id)?.state.kind !== 'sending')
        throw new FailureError({ kind: 'cancelled' }, true)
    }
  }

  /** Aborts a request that waits for the user when its creation expires: it must not go out with the user's answer. */
  function watchHold({ expiresAt }: ArmedCreation): {
    readonly signal: AbortSignal
    begin(): void
    end(): void
  } {
    const controller = new AbortController()
    let cancel = (): void => undefined
    const begin = (): void => {
      cancel = clock.after(1, () => {
        if (clock.now() >= expiresAt && deps.isHeld()) controller.abort()
        else begin()
      })
    }
    return { signal: controller.signal, begin, end: () => cancel() }
  }

  /** Concludes a creation whose request was not sent, or was refused only for now. */
  async function notSent(armed: ArmedCreation, failure: Failure): Promise<void> {
    if (armed.expiresAt <= clock.now()) return finish(armed, 'expired')
    if (failure.kind === 'invalid-input' && !isOutcomeOpen(failure)) return finish(armed, 'failed', failure)
    return waitAgain(armed, failure.kind === 'cancelled' ? null : failure)
  }

  /** Whether the flavor is sold out according to a new reading. */
  async function isSoldOut({ account, order, region }: ArmedCreation): Promise<boolean> {
    const read = await deps.flavors({ account, kind: order.kind, fresh: true }).catch(() => null)
    const offers = read?.items.filter(isOfferOf({ flavor: order.machine.flavor_id, region })) ?? []
    return offers.length > 0 && offers.every(({ inStock }) => inStock === false)
  }
  /** Whether a refused request may be sent again when the catalog next shows stock. */
  const isTemporary = async (armed: ArmedCreation, { kind }: Failure): Promise<boolean> =>
    kind === 'rate-limited' || (kind === 'refused-by-service' && (await isSoldOut(armed)))

  async function sendOnce(armed: ArmedCreation): Promise<void> {
    const check = lastCheck(armed)
    try {
      // Stored first: after a crash or a power cut, the request is not sent again.
      await book.setState(armed.id, { kind: 'sending' })
      if (!deps.flush()) throw new Error('the encrypted store was not written through to the disk')
    } catch (error) {
      return waitAgain(armed, failureOf(error, 'armedCreations.save'))
    }
    let isSent = false
    const hold = watchHold(armed)
    try {
      const beforeSending = (): void => {
        check()
        isSent = true
        hold.begin()
      }
      const creation = await deps.create(armed, beforeSending, hold.signal).finally(hold.end)
      if (!('machine' in creation.state)) return await finish(armed, 'unknown', creation.cause)
    } catch (error) {
      const failure = failureOf(error, 'armedCreations.send')
      if (!isSent) return notSent(armed, failure)
      const hasNoEffect = changedNothing(error)
      const { nothingSent } = error instanceof FailureError ? error : { nothingSent: false }
      // A refusal of this order is final, even if the client knows of it before it sends.
      const isKnownRefusal = failure.kind === 'forbidden'
      if (hasNoEffect && ((nothingSent && !isKnownRefusal) || (await isTemporary(armed, failure))))
        return notSent(armed, failure)
      // If the account was removed during the request, the client fails even after a success.
      const isKnown = book.find(armed.id) !== undefined
      return finish(armed, isKnown && hasNoEffect ? 'failed' : 'unknown', failure)
    }
    notify(armed, createdText(armed, translate))
    await book.drop(armed.id)
  }

  return {
    notify,
    finish,
    isRunning: (id: string): boolean => running.has(id),
    /** A new reading no longer allows the creation, which is not sent unless it already was. */
    outdate: (id: string): void => void outdated.add(id),
    send(armed: ArmedCreation): void {
      if (running.has(armed.id)) return
      running.set(
        armed.id,
        sendOnce(armed)
          .catch((error: unknown) => report('armedCreations.save', error))
          .finally(() => {
            running.delete(armed.id)
            outdated.delete(armed.id)
          }),
      )
    },
    settled: async (): Promise<void> => void (await Promise.allSettled(running.values())),
  }
}
