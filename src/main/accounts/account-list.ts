import type { AccountId, AccountsView, AccountView } from '#shared/bridge/account'
import { type Failure, FailureError } from '#shared/failure'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { baseUrlCandidates } from '../service/base-url'
import type { Transport } from '../service/transport'
import { createHttp } from '../service/http'
import { createService, type Service } from '../service/index'
import type { SettingsSection } from '../store/settings'
import type { Keychain } from '../store/keychain'
import type { KeptSecrets } from './kept-secrets'
import { type Profile, type Profiles, usualLabel, withoutProfile, withProfile } from './profiles'
import { passwordDigest } from './wire-credential'
import type { SandboxHost } from './sandbox-host'
import { createRequestHold } from './request-hold'
import { createSession, type KeptCredential, type Session } from './session'

export interface AccountListDeps {
  readonly transport: Transport
  readonly clock: Clock
  readonly profiles: SettingsSection<Profiles>
  readonly keychain: Keychain
  readonly secrets: KeptSecrets
  readonly sandbox: SandboxHost
  readonly loopbackOnly: boolean
  /** See AccountsDeps. */
  firstPaint(): Promise<void>
}

interface Entry {
  readonly hold: ReturnType<typeof createRequestHold>
  readonly session: Session
  readonly service: Service
}

/** The known accounts: what is kept about each on disk, and its session. */
export const createAccountList = (deps: AccountListDeps) => {
  const { transport, clock, profiles, keychain, secrets, sandbox, loopbackOnly, firstPaint } = deps
  const entries = new Map<AccountId, Entry>()
  const changes = createEmitter<AccountsView>()
  let emitted = ''

  const find = (id: AccountId): Profile | undefined =>
    profiles.read().accounts.find((profile) => profile.id === id)

  /** Fails with invalid-input (account). */
  const profile = (id: AccountId): Profile => {
    const found = find(id)
    if (found === undefined) {
      throw new FailureError({ kind: 'invalid-input', field: 'account', reason: 'unknown' })
    }
    return found
  }

  /** What an account with a session wished for and did not get. */
  const notKept = (account: Profile): Failure | null => {
    const { available, reason } = keychain.state()
    const wished = account.staySignedIn && !account.inKeychain && !account.sandbox
    return wished && !available ? { kind: 'keychain-unavailable', reason: reason ?? '' } : null
  }

  /** Holds at once; settles when it is on disk. Fails with local-fault. */
  const change = async (update: (value: Profiles) => Profiles): Promise<void> => {
    const written = profiles.change(update)
    changed()
    await written
  }

  const save = (account: Profile): Promise<void> => change((value) => withProfile(value, account))

  const kept = async (id: AccountId): Promise<KeptCredential | undefined> => {
    const account = profile(id)
    if (account.sandbox) {
      const { baseUrl, username, password } = await sandbox.start()
      // A disk that does not take the new port is no reason to stay out.
      await save({ ...profile(id), baseUrl, username, credential: 'password' }).catch(() => undefined)
      return { baseUrl, wireCredential: { kind: 'password', username, digest: passwordDigest(password) } }
    }
    baseUrlCandidates(account.baseUrl, loopbackOnly)
    const wireCredential = await secrets.read(account)
    return wireCredential && { baseUrl: account.baseUrl, wireCredential }
  }

  /** Whether the account has signed in at this base URL before: the sandbox is this application's own process. */
  const isTrusted = (id: AccountId, baseUrl: string): boolean => {
    const known = find(id)
    return known !== undefined && (known.sandbox || known.identifiedUrl === baseUrl)
  }

  const entry = (id: AccountId): Entry => {
    const known = entries.get(id)
    if (known !== undefined) return known
    const hold = createRequestHold(clock, changed)
    const opened = createSession({
      transport,
      hold,
      kept: () => kept(id),
      firstPaint,
      isTrusted: (baseUrl) => isTrusted(id, baseUrl),
      accepted: (baseUrl) => {
        const known = find(id)
        if (known === undefined || known.identifiedUrl === baseUrl) return
        // A disk that is full is no reason to stay out: the address identifies itself once more.
        void save({ ...known, identifiedUrl: baseUrl }).catch(() => undefined)
      },
      signsInAgain: () => find(id)?.staySignedIn ?? false,
      changed,
    })
    const made = { hold, session: opened, service: createService(createHttp(transport, opened.authorizer)) }
    entries.set(id, made)
    return made
  }

  const session = (id: AccountId): Session => entry(id).session

  const viewOf = (account: Profile): AccountView => {
    const { state, failure } = session(account.id).shown()
    return {
      id: account.id,
      label: account.label ?? usualLabel(account),
      baseUrl: account.baseUrl,
      credential: account.credential,
      username: account.username,
      sandbox: account.sandbox,
      state,
      staysSignedIn: account.staySignedIn && (account.inKeychain || account.sandbox),
      failure: failure ?? (state === 'signed-in' ? notKept(account) : null),
      heldUntil: entry(account.id).hold.shown(),
    }
  }

  const view = (): AccountsView => {
    const { accounts, selected } = profiles.read()
    return { accounts: accounts.map(viewOf), selected }
  }

  function changed(): void {
    const next = view()
    const text = JSON.stringify(next)
    if (text === emitted) return
    emitted = text
    changes.emit(next)
  }

  return {
    view,
    viewOf: (id: AccountId): AccountView => viewOf(profile(id)),
    onChange: changes.on,
    changed,
    all: (): readonly Profile[] => profiles.read().accounts,
    isTrusted,
    profile,
    session,
    /** Ends the pause that the service asked for. Fails with invalid-input (account). */
    tryNow: (id: AccountId): void => entry(profile(id).id).hold.release(),
    service: (id: AccountId): Service => entry(id).service,
    save,
    /** As save, and makes it the one that the person looks at. */
    saveAndSelect: (account: Profile): Promise<void> =>
      change((value) => ({ ...withProfile(value, account), selected: account.id })),
    select: (id: AccountId): Promise<void> => {
      const { id: selected } = profile(id)
      return change((value) => ({ ...value, selected }))
    },
    remove: async (id: AccountId): Promise<void> => {
      session(id).signOut()
      entry(id).hold.release()
      const written = change((value) => withoutProfile(value, id))
      entries.delete(id)
      await written
    },
    /** Puts the account's secret into the keychain; where that fails, the view says why it will not stay signed in. */
    keep: async (id: AccountId): Promise<void> => {
      const wireCredential = session(id).wireCredential()
      if (wireCredential === undefined || profile(id).sandbox) return
      try {
        await secrets.keep(id, wireCredential)
      } catch (error) {
        if (!(error instanceof FailureError)) throw error
        changed()
        return
      }
      if (find(id) !== undefined) await save({ ...profile(id), inKeychain: true })
    },
    /** Takes the account's secret out of the keychain. Fails with keychain-unavailable. */
    drop: async (id: AccountId): Promise<void> => {
      const account = profile(id)
      if (!account.inKeychain) return
      await (account.sandbox ? sandbox.forget() : secrets.remove(id))
      await save({ ...profile(id), inKeychain: false })
    },
  }
}
export type AccountList = ReturnType<typeof createAccountList>
