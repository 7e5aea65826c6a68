import { z } from 'zod'
import { Failure } from '../failure'
import { NewBareMetalInstance } from '../service/bare-metal'
import { NewMachine } from '../service/machine'
import { NewSshKey } from '../service/ssh-key'
import { parsePublicKey } from '../ssh-public-key'
import { Money } from '../money/money'
import { AccountId, OneAccount } from './account'
import { MachineKind, RegionRef } from './catalog'
import { call, variant } from './define'
import { JobLog } from './job'
import { SshLink, SshStop } from './ssh-link'
import { MachinePlan } from './template'

const Name = z.string().trim().min(1)
const Key = NewSshKey.extend({
  name: Name,
  public_key: z
    .string()
    .trim()
    .refine((text) => parsePublicKey(text) !== null),
})

/** Order of a machine that boots from an image or from an existing bootable volume (api-spec.md §4). */
export const MachineOrder = NewMachine.extend({ name: Name, ssh_key: Key }).superRefine(
  (machine, context) => {
    if (machine.volume_name === undefined && machine.image_id === undefined)
      context.addIssue({ code: 'custom', path: ['image_id'], message: 'is needed' })
    if (machine.volume_name !== undefined && machine.image_id !== undefined)
      context.addIssue({ code: 'custom', path: ['image_id'], message: 'goes without a volume only' })
  },
)
export type MachineOrder = z.infer<typeof MachineOrder>

export const BareMetalOrder = NewBareMetalInstance.extend({ name: Name, ssh_key: Key })
export type BareMetalOrder = z.infer<typeof BareMetalOrder>

const Named = z.object({ id: z.string(), name: z.string().default('') })

/** `found`: identified by comparison rather than by an answer. */
const located = { machine: z.string(), found: z.boolean() }

/**
 * Why the result of a set-up was not read. `not-allowed`: SSH is not allowed for it. `host-key`: the user must confirm the
 * key first. `too-long`: cloud-init still ran after an hour. `silent`: the machine did not answer in time.
 * `no-cloud-init`: the machine has none, or it is disabled.
 */
const UnreadSetUp = z.enum([
  'not-allowed',
  'host-key',
  'too-long',
  'silent',
  'not-started',
  'no-cloud-init',
  'unreadable',
])
export type UnreadSetUp = z.infer<typeof UnreadSetUp>

/** Result of a machine's set-up by cloud-init. `degraded`: done with recoverable errors. */
const SetUp = z.enum(['done', 'degraded', 'failed', ...UnreadSetUp.options])
export type SetUp = z.infer<typeof SetUp>

/** Whether cloud-init reported the result of the set-up. */
export const isSetUpRead = (setUp: SetUp): boolean => !UnreadSetUp.safeParse(setUp).success

export const CreationState = z.discriminatedUnion('kind', [
  variant('sending', {}),
  /** No answer came, so the current machines are compared with those before. `failure`: why they cannot be read. */
  variant('looking', { failure: Failure.nullable().default(null) }),
  variant('created', located),
  /** The service reports it as running; SSH has not answered yet. */
  variant('booting', located),
  /** SSH answers. `hasBegun`: cloud-init has reported that it runs. */
  variant('setting-up', { ...located, hasBegun: z.boolean().default(false) }),
  /**
   * The service reports it as running. `unchecked`: SSH may not be used without the user; `silent`: SSH did not answer in
   * time; `blocked`: the connection needs the user, because of `stop`.
   */
  variant('running', {
    ...located,
    ssh: z.enum(['unchecked', 'silent', 'blocked']),
    // Private, like the detail of a set-up: the settings hold a creation without them (store/split-section.ts).
    stop: SshStop.nullable().default(null),
  }),
  /**
   * SSH answers, and no more is awaited. `detail`: first error of the set-up. `log`: last lines of its log after an error;
   * null if they could not be read.
   */
  variant('ready', {
    ...located,
    setUp: SetUp,
    detail: z.string().nullable().default(null),
    log: z.string().nullable().default(null),
  }),
  /** `status`: of the service; null if it reported none. */
  variant('failed', { ...located, status: z.string().nullable() }),
  /** The machine was deleted or stopped while the user waited to connect. */
  variant('gone', { ...located, why: z.enum(['deleted', 'stopped']) }),
  variant('unclear', { candidates: z.array(Named) }),
  /** No new machine has its name; `others` are new. */
  variant('absent', { others: z.array(Named) }),
  /** Bare metal has no list to compare; a list of machines held unreadable records. */
  variant('unknown', {}),
])
export type CreationState = z.infer<typeof CreationState>

/**
 * `connect`: the user wants a terminal as soon as SSH answers. `services`: the user wants the services as soon as no more is
 * awaited.
 */
export const WishKind = z.enum(['connect', 'services'])
export type WishKind = z.infer<typeof WishKind>

/** State of a wish. `due`: the window fulfils it. `ended`: it can't be fulfilled, as the state of the creation shows. */
export const Wish = z.enum(['none', 'waiting', 'due', 'ended'])
export type Wish = z.infer<typeof Wish>

/** A creation, sent once. `sentAt` is epoch seconds. */
export const Creation = z.object({
  id: z.string(),
  request: z.string(),
  account: AccountId,
  kind: MachineKind,
  name: z.string(),
  sentAt: z.number(),
  flavor: z.string(),
  cause: Failure.nullable(),
  state: CreationState,
  connect: Wish,
  services: Wish,
  /** Usual seconds from `sentAt` to the end of the wait, from earlier creations of the flavor; null: unknown. */
  usualSeconds: z.number().nullable(),
  /** Connection whose first answer is awaited; null if there is none. */
  link: SshLink.nullable(),
})
export type Creation = z.infer<typeof Creation>

/** Values of the form as typed. Kept in the encrypted store; contains no private key. */
export const MachineDraft = z.object({
  /** Id of this draft. Creations from it have the same id. */
  request: z.uuid(),
  name: z.string(),
  /** regionKey of shared/regions.ts. */
  region: z.string().nullable(),
  flavor: z.string().nullable(),
  boot: z.enum(['image', 'volume']),
  image: z.string().nullable(),
  /** Generated name of the volume. */
  volume: z.string(),
  key: z.enum(['file', 'pasted']),
  keyFile: z.string().nullable(),
  pastedKey: z.string(),
  initScript: z.string(),
  /** Work after the creation, from a template. */
  plan: MachinePlan.optional(),
})
export type MachineDraft = z.infer<typeof MachineDraft>

export const PublicKeyView = z.object({
  path: z.string(),
  type: z.string(),
  comment: z.string().nullable(),
  publicKey: z.string(),
  identityFile: z.string().nullable(),
})
export type PublicKeyView = z.infer<typeof PublicKeyView>

/** Files in ~/.ssh with another purpose for ssh or sshd. */
const otherFiles = /^(?:config|known_hosts2?|known_hosts\.old|authorized_keys2?|environment|rc)$/i

/** Allowed name of a new key file. A name that ends in .pub could be mistaken for a public key and shared. */
export const KeyFileName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
  .refine((name) => !/\.pub$/i.test(name) && !otherFiles.test(name))

const sent = {
  request: MachineDraft.shape.request,
  account: AccountId,
  /** Ids of the earlierCreations (shared/earlier-creations.ts) that the user has confirmed. */
  again: z.array(z.string()),
  identityFile: z.string().nullable(),
}
const OneCreation = z.object({ account: AccountId, creation: z.string() })
const OneWish = OneCreation.extend({ wish: WishKind })
const OneDraft = z.object({ account: AccountId, kind: MachineKind })

export const creationCalls = {
  /**
   * Sends one creation, once, and returns its state. Without an answer it is `looking`, and creation.changed reports
   * the outcome. Fails with every kind of the service client if nothing was created for certain, and invalid-input
   * (name: outcome-open while `again` lacks earlierCreations).
   */
  'machine.create': call(z.object({ ...sent, machine: MachineOrder }), Creation),
  /** As machine.create; without an answer the state is `unknown`. */
  'bareMetal.create': call(z.object({ ...sent, machine: BareMetalOrder }), Creation),
  /** `names`: candidates for creations of which only the hash of the name is known. */
  'creation.list': call(
    z.object({ account: AccountId, names: z.array(z.string()).optional() }),
    z.array(Creation),
  ),
  /** Removes a creation from the list and stops looking for its machine. Ignored while it is being sent. */
  'creation.dismiss': call(OneCreation, z.void()),
  /** Sets or cancels a wish. A new wish is ignored if the machine failed or is gone. */
  'creation.wish': call(OneWish.extend({ isWanted: z.boolean() }), z.void()),
  /** Returns true to one caller, once, if it is to fulfil a `due` wish. A window without the focus gets a notification too. */
  'creation.takeWish': call(OneWish.extend({ isFocused: z.boolean() }), z.boolean()),
  /** Waits for SSH on a running machine because the user asks for it. Needs no consent. */
  'creation.check': call(OneCreation, z.void()),
  /** Reports whether the window shows the progress of an account's creations, which then need no notification. */
  'creation.shown': call(z.object({ account: AccountId, kind: MachineKind, isShown: z.boolean() }), z.void()),
  /** Reads the end of the log of a set-up that runs, over the connection that waits for it. */
  'creation.log': call(OneCreation, JobLog),
  'creation.draft': call(OneDraft, MachineDraft.nullable()),
  /** The last draft that another one replaced and the user did not resume. */
  'creation.replacedDraft': call(OneDraft, MachineDraft.nullable()),
  'creation.keepDraft': call(OneDraft.extend({ draft: MachineDraft.nullable() }), z.void()),
  'creation.keys': call(z.object({}), z.array(PublicKeyView)),
  'creation.freeKeyName': call(z.object({}), z.string()),
  /** Creates an ed25519 key without a passphrase. Fails with invalid-input (name: already-there), local-fault. */
  'creation.generateKey': call(z.object({ name: KeyFileName, comment: z.string().max(100) }), PublicKeyView),
} as const

export const creationEvents = {
  'creation.changed': z.object({ account: AccountId, creations: z.array(Creation) }),
} as const

/** Longest time in which a creation may wait for its flavor, in seconds. */
export const maxArmedSeconds = 366 * 86_400

/**
 * Why a flavor in stock was not ordered. `above-cap`: `price` is above the cap. `no-price`, `other-currency`: the price
 * can't be compared. `not-sent`: nothing was created because of `failure`; the creation keeps waiting.
 */
const ArmedDelay = z.object({
  why: z.enum(['above-cap', 'no-price', 'other-currency', 'not-sent']),
  price: Money.nullable(),
  failure: Failure.nullable(),
})
export type ArmedDelay = z.infer<typeof ArmedDelay>

/** Why a creation no longer waits. `unknown`: it was sent, and its outcome is not known. `failed`: nothing was created. */
const ArmedEnd = z.enum(['expired', 'failed', 'unknown'])
export type ArmedEnd = z.infer<typeof ArmedEnd>

/** `sending` is stored before the request is sent. `ended`: nothing happens until the user acts. `at`: epoch seconds. */
export const ArmedState = z.discriminatedUnion('kind', [
  variant('waiting', { delay: ArmedDelay.nullable() }),
  variant('sending', {}),
  variant('ended', { why: ArmedEnd, at: z.number(), failure: Failure.nullable() }),
])
export type ArmedState = z.infer<typeof ArmedState>

const ArmedOrder = z.discriminatedUnion('kind', [
  variant('machine', { machine: MachineOrder }),
  variant('bare-metal', { machine: BareMetalOrder }),
])

/** Highest price per hour of the whole machine, and the end of the wait in epoch seconds. */
const ArmedTerms = z.object({ cap: Money, expiresAt: z.number().int() })
export type ArmedTerms = z.infer<typeof ArmedTerms>

/** A creation that is sent once when its flavor is back in stock. `id`: the request of its draft. */
export const ArmedCreation = ArmedTerms.extend({
  id: MachineDraft.shape.request,
  account: AccountId,
  order: ArmedOrder,
  identityFile: z.string().nullable(),
  /** Input of the form, for another try. */
  draft: MachineDraft,
  flavorName: z.string(),
  region: RegionRef,
  /** Epoch seconds. */
  armedAt: z.number(),
  state: ArmedState,
})
export type ArmedCreation = z.infer<typeof ArmedCreation>

/** An armed creation without its order, which may hold secrets. */
export const ArmedCreationView = ArmedCreation.omit({ order: true, identityFile: true, draft: true }).extend({
  kind: MachineKind,
  name: z.string(),
})
export type ArmedCreationView = z.infer<typeof ArmedCreationView>

const OneArmed = OneAccount.extend({ armed: z.string() })

export const armedCreationCalls = {
  'armedCreations.list': call(OneAccount, z.array(ArmedCreationView)),
  /**
   * Arms the creation of a draft, and removes the draft from the form. Fails with invalid-input (cap, expiresAt:
   * out-of-range; flavor: unknown; name: outcome-open; armed: not-ready while it is sent), with disk-full, local-fault,
   * and as the client does.
   */
  'armedCreations.arm': call(
    ArmedCreation.pick({
      account: true,
      order: true,
      identityFile: true,
      draft: true,
      region: true,
      cap: true,
      expiresAt: true,
    }),
    ArmedCreationView,
  ),
  /**
   * Changes the terms, and arms a creation again that expired or failed. Fails with invalid-input (cap, expiresAt:
   * out-of-range; armed: unknown, not-ready once it was sent) and local-fault.
   */
  'armedCreations.change': call(OneArmed.extend(ArmedTerms.shape), z.void()),
  /**
   * Disarms. `keepsDraft`: the form gets its input back; otherwise the form only offers it. Fails with invalid-input
   * (armed), disk-full and local-fault.
   */
  'armedCreations.cancel': call(OneArmed.extend({ keepsDraft: z.boolean() }), z.void()),
} as const

export const armedCreationEvents = {
  'armedCreations.changed': z.object({ account: AccountId, armed: z.array(ArmedCreationView) }),
} as const
