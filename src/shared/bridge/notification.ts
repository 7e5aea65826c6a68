import { z } from 'zod'
import { Failure } from '../failure'
import { AccountId } from './account'
import { Destination, NotificationKind } from './app'
import { call, variant } from './define'

/** Services that receive notifications over a webhook; `json`: any other program. */
export const webhookKinds = ['slack', 'discord', 'ntfy', 'json'] as const
const WebhookKind = z.enum(webhookKinds)
export type WebhookKind = z.infer<typeof WebhookKind>

/** Upper bound on the notifications in the history. */
export const maxNotifications = 100

/** A notification of the history. `isNew`: the user has not seen it in the bell. */
export const NotificationEntry = z.object({
  id: z.string(),
  /** Epoch seconds. */
  at: z.number(),
  kind: NotificationKind,
  title: z.string(),
  body: z.string(),
  /** Account of the destination. The store erases the entries of a removed account by this field. */
  account: AccountId.nullable(),
  destination: Destination,
  isNew: z.boolean(),
})
export type NotificationEntry = z.infer<typeof NotificationEntry>

/**
 * Outcome of sending one message to a target. `message`: the target's own words, without parts of the address.
 * `failed`: nothing was sent; `unknown`: it may have arrived. Hosts in failures are masked.
 */
export const DeliveryOutcome = z.discriminatedUnion('kind', [
  variant('sent', {}),
  variant('refused', { status: z.int(), message: z.string().nullable() }),
  /** `retryAfter`: seconds, if the target named them. */
  variant('busy', { retryAfter: z.number().nullable() }),
  variant('redirected', {}),
  variant('web-page', { status: z.int() }),
  variant('unknown', { failure: Failure }),
  /** A status that leaves open whether the message arrived: 408 or 5xx, which a gateway may answer. */
  variant('unconfirmed', { status: z.int() }),
  variant('failed', { failure: Failure }),
  /** The keychain no longer has the address. */
  variant('no-address', {}),
  /** Too many messages waited for the target. */
  variant('dropped', {}),
  variant('no-mailer', {}),
  /** `code`: exit code of the mail program; null if a signal ended it. */
  variant('mailer-failed', { code: z.int().nullable(), message: z.string() }),
  variant('mailer-silent', { seconds: z.number() }),
])
export type DeliveryOutcome = z.infer<typeof DeliveryOutcome>

/** The last result of a target. `at`: epoch seconds. */
export const DeliveryResult = z.object({ at: z.number(), outcome: DeliveryOutcome })
export type DeliveryResult = z.infer<typeof DeliveryResult>

export const DeliveryTarget = z.enum(['webhook', 'mail'])
export type DeliveryTarget = z.infer<typeof DeliveryTarget>

/** Targets besides the desktop; null: not set up. */
export const DeliveryTargets = z.object({
  /** `place`: the masked host of the address, which itself never leaves the main process. */
  webhook: z.object({ kind: WebhookKind, place: z.string(), result: DeliveryResult.nullable() }).nullable(),
  mail: z.object({ to: z.string(), result: DeliveryResult.nullable() }).nullable(),
  /** Path of the system's mail program; null: there is none. */
  mailer: z.string().nullable(),
})
export type DeliveryTargets = z.infer<typeof DeliveryTargets>

export const notificationCalls = {
  /** Shows a notification of the desktop, even if every kind is turned off. */
  'notifications.test': call(z.object({}), z.void()),
  'notifications.history': call(z.object({}), z.array(NotificationEntry)),
  /** Marks every notification as seen. Fails with disk-full and local-fault. */
  'notifications.markSeen': call(z.object({}), z.void()),
  /** Fails with disk-full and local-fault. */
  'notifications.clear': call(z.object({}), z.void()),
  /** Brings back the notifications that were cleared last, until the application ends. */
  'notifications.restore': call(z.object({}), z.void()),
  'notifications.targets': call(z.object({}), DeliveryTargets),
  /**
   * Sets the webhook and stores its address in the keychain. Fails with invalid-input (webhook): required, not-a-url,
   * insecure-url, loopback-only, malformed; keychain-unavailable.
   */
  'notifications.setWebhook': call(
    z.object({ kind: WebhookKind, address: z.string().max(4_000) }),
    DeliveryTargets,
  ),
  /** Sets the recipient of mails. Fails with invalid-input (mailAddress): required, malformed. */
  'notifications.setMail': call(z.object({ to: z.string().max(1_000) }), DeliveryTargets),
  /** Removes a target. For the webhook, fails with keychain-unavailable. */
  'notifications.removeTarget': call(z.object({ target: DeliveryTarget }), DeliveryTargets),
  /** Sends a test message at once and returns its result. */
  'notifications.testTarget': call(z.object({ target: DeliveryTarget }), DeliveryOutcome),
} as const

export const notificationEvents = {
  'notifications.changed': z.object({ entries: z.array(NotificationEntry) }),
  'notifications.targetsChanged': DeliveryTargets,
} as const
