import { z } from 'zod'
import {
  type DeliveryOutcome,
  DeliveryResult,
  type DeliveryTarget,
  type DeliveryTargets,
  webhookKinds,
} from '#shared/bridge/notification'
import { createEmitter } from '#shared/emitter'
import type { Clock } from '../core/clock'
import { failureOf } from '../core/failure-of'
import { createMutex } from '../core/mutex'
import type { ReportError } from '../core/report-error'
import type { Transport } from '../service/transport'
import type { Keychain } from '../store/keychain'
import { proveOpen } from '../store/store-key'
import type { Sections } from '../store/settings'
import { createDelivery, type Delivery, maxWaiting } from './delivery'
import { findMailer, readMailAddress, sendMail } from './mail'
import type { Message } from './message'
import { maskedHost, readWebhook, sendWebhook, type Webhook } from './webhook'

/** Entry of the keychain with the address of the webhook. */
const webhookEntry = 'notifications/webhook'

const StoredWebhook = z.object({ kind: z.enum(webhookKinds), url: z.string() })

/** Configuration of the targets, without the address of the webhook. */
const TargetsDocument = z.object({
  webhook: z
    .object({ kind: z.enum(webhookKinds), place: z.string() })
    .nullable()
    .default(null)
    .catch(null),
  mail: z.string().nullable().default(null).catch(null),
  results: z
    .object({ webhook: DeliveryResult.optional(), mail: DeliveryResult.optional() })
    .default({})
    .catch({}),
})

export interface TargetsDeps {
  readonly documents: Sections
  readonly keychain: Pick<Keychain, 'read' | 'write' | 'remove'>
  /** Opens the encrypted store, which exists only after the user has stored something. */
  readonly openStore: () => Promise<unknown>
  readonly transport: Transport
  readonly loopbackOnly: boolean
  readonly clock: Clock
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  /** Places of mail programs. Default: the usual programs of the system. */
  readonly mailers?: readonly string[]
  readonly report: ReportError
}

/** Returns undefined if the keychain has no address. Fails with keychain-unavailable. */
async function storedWebhook(keychain: TargetsDeps['keychain']): Promise<Webhook | undefined> {
  const stored = await keychain.read(webhookEntry)
  if (stored !== undefined) return StoredWebhook.parse(JSON.parse(stored))
  // A locked keychain may return nothing for a read.
  await proveOpen(keychain)
  return undefined
}

/** Targets of notifications besides the desktop: a webhook and a mail address, both off until the user sets them up. */
export function createTargets(deps: TargetsDeps) {
  const { documents, keychain, transport, clock, platform, env, report } = deps
  const section = documents.section('notificationTargets', TargetsDocument)
  const changes = createEmitter<DeliveryTargets>()
  const mutex = createMutex()
  /** The webhook from the keychain, once it was read. */
  let known: Webhook | undefined
  let mailer: Promise<string | null> | undefined
  const currentMailer = (): Promise<string | null> => (mailer ??= findMailer(platform, env, deps.mailers))

  async function view(): Promise<DeliveryTargets> {
    const { webhook, mail, results } = section.read()
    return {
      webhook: webhook && { ...webhook, result: results.webhook ?? null },
      mail: mail === null ? null : { to: mail, result: results.mail ?? null },
      mailer: await currentMailer(),
    }
  }
  const emit = async (): Promise<DeliveryTargets> => {
    const targets = await view()
    changes.emit(targets)
    return targets
  }

  async function toWebhook(message: Message, signal: AbortSignal): Promise<DeliveryOutcome> {
    try {
      known ??= await storedWebhook(keychain)
      return known ? await sendWebhook(transport, known, message, signal) : { kind: 'no-address' }
    } catch (error) {
      // The keychain is locked, or its entry is malformed.
      if (error instanceof z.ZodError || error instanceof SyntaxError) return { kind: 'no-address' }
      return { kind: 'failed', failure: failureOf(error, 'notifications.send') }
    }
  }

  async function toMail(message: Message, signal: AbortSignal): Promise<DeliveryOutcome> {
    const { mail } = section.read()
    const program = await currentMailer()
    if (mail === null) return { kind: 'no-address' }
    return program === null ? { kind: 'no-mailer' } : sendMail(program, mail, message, { env, signal })
  }

  function settled(target: DeliveryTarget, outcome: DeliveryOutcome): void {
    const result: DeliveryResult = { at: clock.now(), outcome }
    section
      .change((stored) => ({ ...stored, results: { ...stored.results, [target]: result } }))
      .catch((error: unknown) => report('notifications.keep', error))
    void emit()
  }

  const deliveries: Readonly<Record<DeliveryTarget, Delivery>> = {
    webhook: createDelivery({
      clock,
      send: toWebhook,
      settled: (outcome) => settled('webhook', outcome),
    }),
    mail: createDelivery({ clock, send: toMail, settled: (outcome) => settled('mail', outcome) }),
  }

  /** Queues a message for every target that is set up. */
  function queue(message: Message): void {
    const { webhook, mail } = section.read()
    if (webhook !== null) deliveries.webhook.add(message)
    if (mail !== null) deliveries.mail.add(message)
  }

  /** Messages that wait until the configuration is loaded. */
  let early: Message[] = []
  let isLoaded = section.isReady()
  section.onLoad(() => {
    isLoaded = true
    const waiting = early
    early = []
    waiting.forEach(queue)
    void emit()
  })

  /** Replaces the configuration of a target. Drops the result of the earlier configuration. */
  async function configure(
    target: DeliveryTarget,
    value: Partial<Pick<z.infer<typeof TargetsDocument>, 'webhook' | 'mail'>>,
  ): Promise<DeliveryTargets> {
    deliveries[target].clear()
    const writing = section.change((stored) => ({
      ...stored,
      ...value,
      results: { ...stored.results, [target]: undefined },
    }))
    const targets = emit()
    await writing
    return targets
  }

  return {
    onChange: changes.on,
    /** Before the store is open, no target may be known; `onChange` follows with all. */
    read(): Promise<DeliveryTargets> {
      // The user may have installed a mail program in the meantime.
      mailer = undefined
      return view()
    },
    setWebhook: (kind: Webhook['kind'], address: string): Promise<DeliveryTargets> =>
      mutex(async () => {
        const webhook = readWebhook(kind, address, deps.loopbackOnly)
        await deps.openStore()
        await keychain.write(webhookEntry, JSON.stringify(webhook))
        known = webhook
        return configure('webhook', { webhook: { kind, place: maskedHost(webhook.url) } })
      }),
    setMail: (to: string): Promise<DeliveryTargets> =>
      mutex(async () => {
        const mail = readMailAddress(to)
        await deps.openStore()
        return configure('mail', { mail })
      }),
    remove: (target: DeliveryTarget): Promise<DeliveryTargets> =>
      mutex(async () => {
        if (target === 'mail') return configure('mail', { mail: null })
        await keychain.remove(webhookEntry)
        known = undefined
        return configure('webhook', { webhook: null })
      }),
    test: (target: DeliveryTarget, message: Message): Promise<DeliveryOutcome> =>
      deliveries[target].test(message),
    /** Queues a message for every target that is set up, as soon as the configuration is loaded. */
    send(message: Message): void {
      if (isLoaded) queue(message)
      else early = [...early, message].slice(-maxWaiting)
    },
    close(): void {
      early = []
      for (const delivery of Object.values(deliveries)) delivery.clear()
    },
  }
}
