import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import { z } from 'zod'
import { AccountId } from '#shared/bridge/account'
import type { HandlersOf } from '#shared/bridge/index'
import type { sshKeyCalls, SshKeysView } from '#shared/bridge/ssh-key'
import { translate } from '#shared/messages/index'
import { generateKey, keygenFault } from './generate-key'
import { createEmitter } from '#shared/emitter'
import { defineModule } from '../../core/module'
import { writeFileAtomic } from '../../store/atomic-file'
import type { Sections } from '../../store/settings'
import type { Askpass } from '../askpass/index'
import type { AskedMachine } from '../client/accepted-key'
import type { KeyPlaces } from '../client/agent-keys'
import { isPlainPath } from '../client/plain-values'
import { automaticKeys } from './automatic-keys'
import { fingerprintOf, listKeys } from './key-list'

/** Key that opened each machine last. */
const Opened = z.object({
  opened: z.array(z.object({ account: AccountId, machine: z.string(), fingerprint: z.string() })).default([]),
})
type Opened = z.infer<typeof Opened>

export interface SshKeysDeps extends KeyPlaces {
  /** User data: public keys of an agent are written here for ssh. */
  readonly folder: string
  readonly documents: Sections
  /** Passes a new passphrase to ssh-keygen. */
  readonly askpass: Pick<Askpass, 'listenForNewKey'>
  /** Returns the machine's name; undefined if it no longer exists. */
  machineName(account: AccountId, machine: string): string | undefined
}

/** The keys of this computer, and the key that opened each machine. */
export function createSshKeys(deps: SshKeysDeps) {
  const { platform } = deps
  const { join } = platform === 'win32' ? win32 : posix
  const section = deps.documents.section('ssh-keys', Opened)
  /** The key that opens a machine has changed, or was dropped. */
  const changes = createEmitter<null>()
  async function change(next: (opened: Opened['opened']) => Opened['opened']): Promise<void> {
    await section.change(({ opened }) => ({ opened: next(opened) }))
    changes.emit(null)
  }
  const isOf =
    (account: AccountId, machine: string) =>
    (entry: Opened['opened'][number]): boolean =>
      entry.account === account && entry.machine === machine
  const rememberedOf = (account: AccountId, machine: string): string | null =>
    section.read().opened.find(isOf(account, machine))?.fingerprint ?? null

  async function list(): Promise<SshKeysView> {
    const listed = await listKeys(deps)
    const { opened } = section.read()
    const machinesOf = (fingerprint: string | null) =>
      opened
        .filter((entry) => entry.fingerprint === fingerprint)
        .flatMap(({ account, machine }) => {
          const name = deps.machineName(account, machine)
          return name === undefined ? [] : [{ account, machine, name }]
        })
    return { ...listed, keys: listed.keys.map((key) => ({ ...key, machines: machinesOf(key.fingerprint) })) }
  }

  async function remember(account: AccountId, machine: string, key: Buffer): Promise<void> {
    const fingerprint = fingerprintOf(key)
    if (rememberedOf(account, machine) === fingerprint) return
    const isSame = isOf(account, machine)
    await change((opened) => [...opened.filter((entry) => !isSame(entry)), { account, machine, fingerprint }])
  }

  /** Probes of machines, by machine and keys: each is made once while the application runs. */
  const probes = new Map<string, Promise<Buffer | null | undefined>>()
  const idOf = (account: AccountId, machine: string): string => JSON.stringify([account, machine])
  async function find(account: AccountId, machine: string, to: AskedMachine): Promise<boolean> {
    if (rememberedOf(account, machine) !== null) return false
    const offered = await automaticKeys(deps)
    if (offered.length < 2) return false
    const blobs = offered.map(({ blob }) => blob)
    const id = idOf(account, machine) + JSON.stringify([to, blobs.map(fingerprintOf)])
    const { acceptedKey } = await import('../client/accepted-key')
    const probe = probes.get(id) ?? acceptedKey(to, blobs)
    probes.set(id, probe)
    const accepted = await probe
    if (accepted === undefined) probes.delete(id)
    const match = accepted && offered.find(({ blob }) => blob.equals(accepted))
    if (match) await remember(account, machine, match.key)
    return Boolean(match)
  }

  /** Writes the public half of an agent's key to a file, by which ssh can select the key. */
  async function publicFile(fingerprint: string, publicKey: string): Promise<string> {
    const folder = join(deps.folder, 'agent-keys')
    const name = createHash('sha256').update(fingerprint).digest('hex').slice(0, 32)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${name}.pub`)
    await writeFileAtomic(path, `${publicKey}\n`)
    return path
  }

  /** Like identityFor, for many machines: the keys are listed once. */
  function identities(): (account: AccountId, machine: string) => Promise<string | null> {
    let listed: ReturnType<typeof listKeys> | undefined
    return async (account, machine) => {
      const fingerprint = rememberedOf(account, machine)
      if (fingerprint === null) return null
      const { keys } = await (listed ??= listKeys(deps))
      const key = keys.find((candidate) => candidate.fingerprint === fingerprint)
      if (key === undefined) return null
      const path = key.path ?? (key.publicKey === null ? null : await publicFile(fingerprint, key.publicKey))
      return path !== null && isPlainPath(path, platform) ? path : null
    }
  }

  /** Passes the passphrase to ssh-keygen by askpass: in no argument and no environment. */
  async function generateProtected(name: string, comment: string, passphrase: string): Promise<void> {
    const asking = await deps.askpass.listenForNewKey(passphrase)
    if (asking === null) throw keygenFault(translate('sshKeys.noPassphrase'))
    try {
      await generateKey(deps, name, comment, asking.env)
    } finally {
      asking.close()
    }
  }

  const handlers: HandlersOf<typeof sshKeyCalls> = {
    'sshKeys.list': list,
    'sshKeys.generate': async ({ name, comment, passphrase }) => {
      if (passphrase === '') await generateKey(deps, name, comment)
      else await generateProtected(name, comment, passphrase)
      return list()
    },
  }
  return defineModule({
    handlers,
    events: {},
    /** Returns a test for the key, in wire format, that opened the machine last. */
    openedBy(account: AccountId, machine: string): (key: Buffer) => boolean {
      return (key) => rememberedOf(account, machine) === fingerprintOf(key)
    },
    remember,
    /**
     * Finds out which of several keys a machine accepts if that is unknown, and remembers the key. Resolves to whether it
     * found one. Asks the user nothing. Rejects if the key can't be stored.
     */
    find,
    /** Drops the key of a machine that no longer accepts it, or that was replaced. */
    async drop(account: AccountId, machine: string): Promise<void> {
      const isSame = isOf(account, machine)
      // Prevents another probe: a machine may accept any key before a signature.
      for (const id of probes.keys())
        if (id.startsWith(idOf(account, machine))) probes.set(id, Promise.resolve(null))
      if (!section.read().opened.some(isSame)) return
      await change((opened) => opened.filter((entry) => !isSame(entry)))
    },
    /** Returns the file by which ssh finds the key that opened the machine; null: none, or the key is gone. */
    identityFor: (account: AccountId, machine: string): Promise<string | null> =>
      identities()(account, machine),
    identities,
    onChange: changes.on,
    async forgetAccount(account: AccountId): Promise<void> {
      await section.change(({ opened }) => ({ opened: opened.filter((entry) => entry.account !== account) }))
    },
  })
}
export type SshKeys = ReturnType<typeof createSshKeys>
