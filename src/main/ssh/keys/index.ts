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

/** Which key opened which machine the last time. */
const Opened = z.object({
  opened: z.array(z.object({ account: AccountId, machine: z.string(), fingerprint: z.string() })).default([]),
})
type Opened = z.infer<typeof Opened>

export interface SshKeysDeps extends KeyPlaces {
  /** User data: public halves that only an agent holds are written here for ssh. */
  readonly folder: string
  readonly documents: Sections
  /** Gives ssh-keygen a new passphrase. */
  readonly askpass: Pick<Askpass, 'listenForNewKey'>
  /** The machine's name; undefined where it is not known any more. */
  machineName(account: AccountId, machine: string): string | undefined
}

/** The keys of this computer, and which of them opened which machine. */
export function createSshKeys(deps: SshKeysDeps) {
  const { platform } = deps
  const { join } = platform === 'win32' ? win32 : posix
  const kept = deps.documents.section('ssh-keys', Opened)
  /** Another key opens a machine, or none any more. */
  const changes = createEmitter<null>()
  async function change(next: (opened: Opened['opened']) => Opened['opened']): Promise<void> {
    await kept.change(({ opened }) => ({ opened: next(opened) }))
    changes.emit(null)
  }
  const isOf =
    (account: AccountId, machine: string) =>
    (one: Opened['opened'][number]): boolean =>
      one.account === account && one.machine === machine
  const rememberedOf = (account: AccountId, machine: string): string | null =>
    kept.read().opened.find(isOf(account, machine))?.fingerprint ?? null

  async function list(): Promise<SshKeysView> {
    const found = await listKeys(deps)
    const { opened } = kept.read()
    const machinesOf = (fingerprint: string | null) =>
      opened
        .filter((one) => one.fingerprint === fingerprint)
        .flatMap(({ account, machine }) => {
          const name = deps.machineName(account, machine)
          return name === undefined ? [] : [{ account, machine, name }]
        })
    return { ...found, keys: found.keys.map((key) => ({ ...key, machines: machinesOf(key.fingerprint) })) }
  }

  async function remember(account: AccountId, machine: string, key: Buffer): Promise<void> {
    const fingerprint = fingerprintOf(key)
    if (rememberedOf(account, machine) === fingerprint) return
    const isSame = isOf(account, machine)
    await change((opened) => [...opened.filter((one) => !isSame(one)), { account, machine, fingerprint }])
  }

  /** What machines were asked, once while the application runs: none is asked again and again. */
  const asked = new Map<string, Promise<Buffer | null | undefined>>()
  const idOf = (account: AccountId, machine: string): string => JSON.stringify([account, machine])
  async function find(account: AccountId, machine: string, to: AskedMachine): Promise<boolean> {
    if (rememberedOf(account, machine) !== null) return false
    const offered = await automaticKeys(deps)
    if (offered.length < 2) return false
    const blobs = offered.map(({ blob }) => blob)
    const id = idOf(account, machine) + JSON.stringify([to, blobs.map(fingerprintOf)])
    const { acceptedKey } = await import('../client/accepted-key')
    const asking = asked.get(id) ?? acceptedKey(to, blobs)
    asked.set(id, asking)
    const accepted = await asking
    if (accepted === undefined) asked.delete(id)
    const found = accepted && offered.find(({ blob }) => blob.equals(accepted))
    if (found) await remember(account, machine, found.key)
    return Boolean(found)
  }

  /** The public half of a key that only the agent holds, in a file that ssh takes for the name of the key. */
  async function publicFile(fingerprint: string, publicKey: string): Promise<string> {
    const folder = join(deps.folder, 'agent-keys')
    const name = createHash('sha256').update(fingerprint).digest('hex').slice(0, 32)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${name}.pub`)
    await writeFileAtomic(path, `${publicKey}\n`)
    return path
  }

  /** As identityFor, for many machines: the keys are listed once. */
  function identities(): (account: AccountId, machine: string) => Promise<string | null> {
    let listed: ReturnType<typeof listKeys> | undefined
    return async (account, machine) => {
      const fingerprint = rememberedOf(account, machine)
      if (fingerprint === null) return null
      const { keys } = await (listed ??= listKeys(deps))
      const key = keys.find((one) => one.fingerprint === fingerprint)
      if (key === undefined) return null
      const path = key.path ?? (key.publicKey === null ? null : await publicFile(fingerprint, key.publicKey))
      return path !== null && isPlainPath(path, platform) ? path : null
    }
  }

  /** The passphrase reaches ssh-keygen as ssh's do: in no argument and no environment. */
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
    /** Whether a key, as it goes over the wire, is the one that opened the machine the last time. */
    openedBy(account: AccountId, machine: string): (key: Buffer) => boolean {
      return (key) => rememberedOf(account, machine) === fingerprintOf(key)
    },
    /** The machine was opened by this key. */
    remember,
    /**
     * Asks a machine whose key is not known which of several it accepts, and remembers that: whether it was found. Asks
     * the person nothing; rejects where it cannot be written.
     */
    find,
    /** The machine does not accept its key any more, or is another. */
    async drop(account: AccountId, machine: string): Promise<void> {
      const isSame = isOf(account, machine)
      // A machine may accept any key before it has to be signed with.
      for (const id of asked.keys())
        if (id.startsWith(idOf(account, machine))) asked.set(id, Promise.resolve(null))
      if (!kept.read().opened.some(isSame)) return
      await change((opened) => opened.filter((one) => !isSame(one)))
    },
    /** The file by which ssh finds the key that opened the machine; null where there was none, or it is gone. */
    identityFor: (account: AccountId, machine: string): Promise<string | null> =>
      identities()(account, machine),
    identities,
    onChange: changes.on,
    async forgetAccount(account: AccountId): Promise<void> {
      await kept.change(({ opened }) => ({ opened: opened.filter((one) => one.account !== account) }))
    },
  })
}
export type SshKeys = ReturnType<typeof createSshKeys>
