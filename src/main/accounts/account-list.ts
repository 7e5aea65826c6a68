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
  firstPaint(): Promise<void>
}

interface Entry {
  readonly hold: ReturnType<typeof createRequestHold>
  readonly session: Session
  readonly service: Service
}

/** Finds and changes the stored profiles. `changed` is called after each change in memory. */
function createProfileBook(profiles: SettingsSection<Profiles>, changed: () => void) {
  const find = (id: AccountId): Profile | undefined =>
    profiles.read().accounts.find((profile) => profile.id === id)
  /** Applies the change in memory at once, and resolves when it is on disk. Fails with local-fault. */
  const change = async (update: (value: Profiles) => Profiles): Promise<void> => {
    const written = profiles.change(update)
    changed()
    await written
  }
  return {
    find,
    /** Fails with invalid-input (account). */
    get(id: AccountId): Profile {
      const profile = find(id)
      if (profile === undefined)
        throw new FailureError({ kind: 'invalid-input', field: 'account', reason: 'unknown' })
      return profile
    },
    change,
    save: (profile: Profile): Promise<void> => change((value) => withProfile(value, profile)),
  }
}
type ProfileBook = ReturnType<typeof createProfileBook>

/** Opens the session and the service of an account on first use. */
function createEntries(
  { transport, clock, keychain, secrets, sandbox, loopbackOnly, firstPaint }: AccountListDeps,
  book: ProfileBook,
  changed: () => void,
) {
  const entries = new Map<AccountId, Entry>()

  const readCredential = async (id: AccountId): Promise<KeptCredential | undefined> => {
    const profile = book.get(id)
    if (profile.sandbox) {
      const { baseUrl, username, password } = await sandbox.start()
      // The sign-in works even if the disk refuses the new port.
      await book.save({ ...book.get(id), baseUrl, username, credential: 'password' }).catch(() => undefined)
      return { baseUrl, wireCredential: { kind: 'password', username, digest: passwordDigest(password) } }
    }
    baseUrlCandidates(profile.baseUrl, loopbackOnly)
    // A keychain that has just refused would ask the user again.
    const { available, reason } = keychain.state()
    if (profile.inKeychain && !available)
      throw new FailureError({ kind: 'keychain-unavailable', reason: reason ?? '' })
    const wireCredential = await secrets.read(profile)
    return wireCredential && { baseUrl: profile.baseUrl, wireCredential }
  }

  /** Whether the account has signed in at this base URL before. The sandbox is the application's own process. */
  const isTrusted = (id: AccountId, baseUrl: string): boolean => {
    const profile = book.find(id)
    return profile !== undefined && (profile.sandbox || profile.identifiedUrl === baseUrl)
  }

  const open = (id: AccountId): Entry => {
    const hold = createRequestHold(clock, changed)
    const session = createSession({
      transport,
      hold,
      kept: () => readCredential(id),
      firstPaint,
      isTrusted: (baseUrl) => isTrusted(id, baseUrl),
      accepted: (baseUrl) => {
        const profile = book.find(id)
        if (profile === undefined || profile.identifiedUrl === baseUrl) return
        // If the disk is full, the address only has to identify itself again.
        void book.save({ ...profile, identifiedUrl: baseUrl }).catch(() => undefined)
      },
      signsInAgain: () => book.find(id)?.staySignedIn ?? false,
      changed,
    })
    return { hold, session, service: createService(createHttp(transport, session.authorizer)) }
  }

  return {
    isTrusted,
    get(id: AccountId): Entry {
      const entry = entries.get(id) ?? open(id)
      entries.set(id, entry)
      return entry
    },
    delete: (id: AccountId): void => void entries.delete(id),
  }
}

export const createAccountList = (deps: AccountListDeps) => {
  const { profiles, keychain, secrets, sandbox } = deps
  const changes = createEmitter<AccountsView>()
  let emitted = ''
  const book = createProfileBook(profiles, changed)
  const entries = createEntries(deps, book, changed)
  const session = (id: AccountId): Session => entries.get(id).session

  /** Returns why the secret of a signed-in account could not be stored. */
  const storeFailure = (profile: Profile): Failure | null => {
    const { available, reason } = keychain.state()
    const isMissing = profile.staySignedIn && !profile.inKeychain && !profile.sandbox
    return isMissing && !available ? { kind: 'keychain-unavailable', reason: reason ?? '' } : null
  }

  const viewOf = (profile: Profile): AccountView => {
    const { hold, session } = entries.get(profile.id)
    const { state, failure } = session.shown()
    return {
      id: profile.id,
      label: profile.label ?? usualLabel(profile),
      baseUrl: profile.baseUrl,
      credential: profile.credential,
      username: profile.username,
      sandbox: profile.sandbox,
      state,
      staysSignedIn: profile.staySignedIn && (profile.inKeychain || profile.sandbox),
      failure: failure ?? (state === 'signed-in' ? storeFailure(profile) : null),
      heldUntil: hold.shown(),
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
    viewOf: (id: AccountId): AccountView => viewOf(book.get(id)),
    onChange: changes.on,
    changed,
    all: (): readonly Profile[] => profiles.read().accounts,
    isTrusted: entries.isTrusted,
    profile: book.get,
    session,
    /** Ends the pause that the service requested. Fails with invalid-input (account). */
    tryNow: (id: AccountId): void => entries.get(book.get(id).id).hold.release(),
    service: (id: AccountId): Service => entries.get(id).service,
    save: book.save,
    saveAndSelect: (profile: Profile): Promise<void> =>
      book.change((value) => ({ ...withProfile(value, profile), selected: profile.id })),
    select: (id: AccountId): Promise<void> => {
      const { id: selected } = book.get(id)
      return book.change((value) => ({ ...value, selected }))
    },
    remove: async (id: AccountId): Promise<void> => {
      session(id).signOut()
      entries.get(id).hold.release()
      const written = book.change((value) => withoutProfile(value, id))
      entries.delete(id)
      await written
    },
    /** Stores the account's secret in the keychain. If that fails, the view shows the reason. */
    storeSecret: async (id: AccountId): Promise<void> => {
      const wireCredential = session(id).wireCredential()
      if (wireCredential === undefined || book.get(id).sandbox) return
      try {
        await secrets.keep(id, wireCredential)
      } catch (error) {
        if (!(error instanceof FailureError)) throw error
        changed()
        return
      }
      if (book.find(id) !== undefined) await book.save({ ...book.get(id), inKeychain: true })
    },
    /** Removes the account's secret from the keychain. Fails with keychain-unavailable. */
    removeSecret: async (id: AccountId): Promise<void> => {
      const profile = book.get(id)
      if (!profile.inKeychain) return
      await (profile.sandbox ? sandbox.forget() : secrets.remove(id))
      await book.save({ ...book.get(id), inKeychain: false })
    },
  }
}
export type AccountList = ReturnType<typeof createAccountList>
