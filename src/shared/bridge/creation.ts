import { z } from 'zod'
import { Failure } from '../failure'
import { NewBareMetalInstance } from '../service/bare-metal'
import { NewMachine } from '../service/machine'
import { NewSshKey } from '../service/ssh-key'
import { parsePublicKey } from '../ssh-public-key'
import { AccountId } from './account'
import { MachineKind } from './catalog'
import { call } from './define'

const Name = z.string().trim().min(1)
const Key = NewSshKey.extend({
  name: Name,
  public_key: z
    .string()
    .trim()
    .refine((text) => parsePublicKey(text) !== null),
})

/** A machine to create: from an image, or from an existing bootable volume and then without one (api-spec.md §4). */
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

/** The name is empty where it is not known any more. */
const Named = z.object({ id: z.string(), name: z.string().default('') })

/** Where a creation stands. */
export const CreationState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sending') }),
  /** No answer came: the machines there are now are compared with those before. `failure`: why they cannot be read. */
  z.object({ kind: z.literal('looking'), failure: Failure.nullable().default(null) }),
  /** `found`: not named by an answer, but recognised by comparing. */
  z.object({ kind: z.literal('created'), machine: z.string(), found: z.boolean() }),
  z.object({ kind: z.literal('running'), machine: z.string(), found: z.boolean() }),
  /** The service says that it went wrong after it was created. */
  z.object({ kind: z.literal('failed'), machine: z.string(), found: z.boolean() }),
  /** Several new machines bear its name. */
  z.object({ kind: z.literal('unclear'), candidates: z.array(Named) }),
  /** No new machine bears its name; `others` are new all the same. */
  z.object({ kind: z.literal('absent'), others: z.array(Named) }),
  /** Bare metal has no list to compare; in that of machines there is something that could not be read. */
  z.object({ kind: z.literal('unknown') }),
])
export type CreationState = z.infer<typeof CreationState>

/** A creation that was sent, once. `sentAt` is epoch seconds. */
export const Creation = z.object({
  id: z.string(),
  /** The `request` of the draft that it was made from. */
  request: z.string(),
  account: AccountId,
  kind: MachineKind,
  name: z.string(),
  sentAt: z.number(),
  /** The id of its flavor. */
  flavor: z.string(),
  /** Why no answer came; null where one did. */
  cause: Failure.nullable(),
  state: CreationState,
})
export type Creation = z.infer<typeof Creation>

/**
 * What was typed into the form, as it was typed. It is kept in the encrypted store; no private key gets in.
 */
export const MachineDraft = z.object({
  /** Names the wish for one machine as long as this draft is kept: what is made from it bears it. */
  request: z.uuid(),
  name: z.string(),
  /** regionKey of shared/regions.ts. */
  region: z.string().nullable(),
  flavor: z.string().nullable(),
  boot: z.enum(['image', 'volume']),
  image: z.string().nullable(),
  /** The volume's generated name. */
  volume: z.string(),
  key: z.enum(['file', 'pasted']),
  keyFile: z.string().nullable(),
  pastedKey: z.string(),
  initScript: z.string(),
})
export type MachineDraft = z.infer<typeof MachineDraft>

/** A public key in ~/.ssh. */
export const PublicKeyView = z.object({
  path: z.string(),
  type: z.string(),
  comment: z.string().nullable(),
  publicKey: z.string(),
  /** The private key beside it; null where there is none. */
  identityFile: z.string().nullable(),
})
export type PublicKeyView = z.infer<typeof PublicKeyView>

/** Files of ~/.ssh that ssh and sshd read for something else. */
const otherFiles = /^(?:config|known_hosts2?|known_hosts\.old|authorized_keys2?|environment|rc)$/i

/** A file name that a new key may have in ~/.ssh. One that ends in .pub would be taken for a public half, and given away. */
export const KeyFileName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
  .refine((name) => !/\.pub$/i.test(name) && !otherFiles.test(name))

const sent = {
  request: MachineDraft.shape.request,
  account: AccountId,
  /** Ids of the earlierCreations (shared/earlier-creations.ts) beside which the person said yes to sending it. */
  again: z.array(z.string()),
  /** The private key that Connect is to use; null: ssh's own choice. */
  identityFile: z.string().nullable(),
}
const OneDraft = z.object({ account: AccountId, kind: MachineKind })

export const creationCalls = {
  /**
   * Sends one creation, once, and answers where it stands: an answer that did not come leaves it `looking`, and
   * creation.changed reports the rest. Fails with every kind of the service client where nothing was created for
   * certain, and invalid-input (name: outcome-open while there are earlierCreations that `again` does not name).
   */
  'machine.create': call(z.object({ ...sent, machine: MachineOrder }), Creation),
  /** As machine.create; an answer that did not come leaves it `unknown`. */
  'bareMetal.create': call(z.object({ ...sent, machine: BareMetalOrder }), Creation),
  /** `names`: what a creation may be called of whose name only the hash is known. */
  'creation.list': call(
    z.object({ account: AccountId, names: z.array(z.string()).optional() }),
    z.array(Creation),
  ),
  /** The person has seen it, and it is not looked for any more. One that is being sent stays. */
  'creation.dismiss': call(z.object({ account: AccountId, creation: z.string() }), z.void()),
  'creation.draft': call(OneDraft, MachineDraft.nullable()),
  /** What was typed before another draft took its place, and not taken up again since. */
  'creation.replacedDraft': call(OneDraft, MachineDraft.nullable()),
  'creation.keepDraft': call(OneDraft.extend({ draft: MachineDraft.nullable() }), z.void()),
  'creation.keys': call(z.object({}), z.array(PublicKeyView)),
  /** A name for a new key in ~/.ssh that is free. */
  'creation.freeKeyName': call(z.object({}), z.string()),
  /**
   * Makes an ed25519 key without a passphrase in ~/.ssh, never over an existing file. Fails with invalid-input (name:
   * already-there), local-fault.
   */
  'creation.generateKey': call(z.object({ name: KeyFileName, comment: z.string().max(100) }), PublicKeyView),
} as const

export const creationEvents = {
  'creation.changed': z.object({ account: AccountId, creations: z.array(Creation) }),
} as const
