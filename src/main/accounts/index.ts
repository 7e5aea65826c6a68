import type {
  AccountId,
  accountCalls,
  accountEvents,
  AccountsView,
  AccountView,
} from '#shared/bridge/account'
import type { CallInput, HandlersOf } from '#shared/bridge/index'
import type { SshDefaults } from '#shared/bridge/ssh'
import { type Transport, defaultLimits } from '../service/transport'
import type { Service } from '../service/index'
import type { Sections } from '../store/settings'
import { createAccountList } from './account-list'
import { keptSecrets } from './kept-secrets'
import type { Keychain } from '../store/keychain'
import { signOutCalls } from './sign-out'
import { privateProfileFields, type Profile, Profiles } from './profiles'
import { createSandboxHost, type SandboxProcess } from './sandbox-host'
import { signInCalls } from './sign-in'
import type { Clock } from '../core/clock'
import { createHook, type Hook } from '../core/hook'
import type { EventsOf } from '../core/module'
import { createMutex } from '../core/mutex'

export type { SandboxAccess, SandboxSecret } from './sandbox-host'

export interface AccountsDeps {
  readonly fetch: Transport['fetch']
  /** Needed with Electron's fetch: see Transport. */
  readonly freshFetch?: Transport['freshFetch']
  readonly heldUntil?: Transport['heldUntil']
  readonly keychain: Keychain
  readonly documents: Sections
  readonly clock: Clock
  /** Admits only services on this computer. */
  readonly loopbackOnly: boolean
  /** Resolves once the window of this start is painted: no service is asked for a kept account before. */
  firstPaint(): Promise<void>
  /** Whether the system says that it has a network. */
  online(): boolean
  readonly sandbox: SandboxProcess
}

export interface Accounts {
  readonly handlers: HandlersOf<typeof accountCalls>
  readonly events: EventsOf<typeof accountEvents>
  readonly forgetAccount: 'follows-accounts'
  view(): AccountsView
  onChange(listener: (view: AccountsView) => void): () => void
  /**
   * The service of an account. Its calls renew the sign-in where the person chose so, and fail with
   * not-signed-in where they did not, besides what the client fails with.
   */
  service(account: AccountId): Service
  /**
   * Signs in every account that stays signed in, the sandbox's process included. Never fails: see the view. May be
   * called again, when the network is back or the computer wakes up: what is signed in is left alone.
   */
  resume(): Promise<void>
  signIn(input: CallInput<'accounts.signIn'>): Promise<AccountView>
  /**
   * Sets what lists the resources that are known of an account, by which a new credential is recognised as the
   * account's; null: what is kept of it cannot be read now. Without it nothing is known.
   */
  recogniseBy(known: (account: AccountId) => Promise<ReadonlySet<string> | null>): void
  /** Adds what removes the data that is kept about an account; it is signed out then, and still in the view. */
  beforeForget: Hook<AccountId>['add']
  /** Adds what removes what was kept of the world of a previous sandbox, of which this account lives on. */
  beforeNewSandbox: Hook<AccountId>['add']
  /** Whether this token is what the account is signed in with. */
  usesToken(account: AccountId, token: string): boolean
  /** What SSH starts from for the machines of an account: the sandbox's port and key, nothing for the others. */
  sshDefaults(account: AccountId): Partial<SshDefaults>
  wakeChanged(awake: boolean): void
  start(): Promise<void>
  close(): void
}

/** Seconds between two attempts to sign in the accounts that could not be reached. */
const resumeEverySeconds = 30

/** The accounts on this computer, and the only place that holds what proves them. */
export const createAccounts = (deps: AccountsDeps): Accounts => {
  const { fetch, freshFetch, heldUntil, keychain, documents, clock, loopbackOnly, online, firstPaint } = deps
  const transport: Transport = { fetch, freshFetch, heldUntil, online, now: clock.now, ...defaultLimits }
  const profiles = documents.section('accounts', Profiles, privateProfileFields)
  const beforeForget = createHook<AccountId>()
  const beforeNewSandbox = createHook<AccountId>()
  const sandboxProfiles = (): readonly Profile[] =>
    profiles.read().accounts.filter((profile) => profile.sandbox)
  const sandbox = createSandboxHost(keychain, async (secret) => {
    if (secret.fresh) for (const { id } of sandboxProfiles()) await beforeNewSandbox.run(id)
    return deps.sandbox.start(secret)
  })
  const secrets = keptSecrets(keychain)
  const accounts = createAccountList({
    transport,
    clock,
    profiles,
    keychain,
    secrets,
    sandbox,
    loopbackOnly,
    firstPaint,
  })
  const mutex = createMutex()
  // Labels and user names came in.
  profiles.onLoad(() => accounts.changed())

  /** The keychain can be used again: what it could not do for this account is done now. */
  const catchUp = async ({ id }: Profile): Promise<void> => {
    const { staySignedIn, inKeychain, sandbox: isSandbox } = accounts.profile(id)
    if (isSandbox) return
    const session = accounts.session(id)
    if (staySignedIn && !inKeychain) await accounts.keep(id)
    if (!staySignedIn && inKeychain) {
      await accounts.drop(id)
      if (session.shown().state === 'signed-out') session.signOut()
    }
    if (session.shown().failure?.kind === 'keychain-unavailable') await session.resume()
  }

  const stopFollowingKeychain = keychain.onChange(({ available }) => {
    accounts.changed()
    if (!available) return
    for (const profile of accounts.all()) {
      // Whatever fails here shows in the view, and is tried again when the keychain comes back the next time.
      mutex(() => catchUp(profile)).catch(() => accounts.changed())
    }
  })

  const resume = async (): Promise<void> => {
    const staying = accounts.all().filter(({ staySignedIn }) => staySignedIn)
    const sessions = staying.map(({ id }) => accounts.session(id))
    // The keychain is left alone until it can be used (catchUp): each look may ask the person for its password.
    const waiting = sessions.filter((session) => session.shown().failure?.kind !== 'keychain-unavailable')
    await Promise.all(waiting.map((session) => session.resume()))
  }

  /** Its process ended unasked: it is started again where an account is signed in to it. Never fails. */
  const sandboxLost = async (): Promise<void> => {
    sandbox.stopped()
    const sessions = sandboxProfiles().map(({ id }) => accounts.session(id))
    for (const session of sessions) if (session.shown().state !== 'signed-out') session.signOut()
    await resume()
  }
  deps.sandbox.onLost(sandboxLost)

  let cancel = (): void => undefined
  let closed = false
  /** Accounts that could not be reached are tried again; what is signed in, or was refused, is left alone. */
  const keepResuming = async (): Promise<void> => {
    await resume()
    if (!closed) cancel = clock.after(resumeEverySeconds, () => void keepResuming())
  }

  let knownResources = (_account: AccountId): Promise<ReadonlySet<string> | null> =>
    Promise.resolve(new Set<string>())
  const signIns = signInCalls({
    transport,
    accounts,
    secrets,
    sandbox,
    loopbackOnly,
    mutex,
    knownResources: (account) => knownResources(account),
  })
  const removal = signOutCalls({
    accounts,
    sandbox,
    mutex,
    beforeForget: async (account) => {
      if (accounts.profile(account).sandbox) await deps.sandbox.forget()
      await beforeForget.run(account)
    },
  })

  return {
    view: accounts.view,
    onChange: accounts.onChange,
    service: accounts.service,
    resume,
    usesToken: (id, token) => {
      const known = accounts.all().some((profile) => profile.id === id)
      const wireCredential = known ? accounts.session(id).wireCredential() : undefined
      return wireCredential?.kind === 'api-token' && wireCredential.token === token
    },
    sshDefaults: (id) => {
      const access = sandbox.access()
      const isSandbox = accounts.all().some((profile) => profile.id === id && profile.sandbox)
      return isSandbox && access ? { port: access.sshPort, identityFile: access.identityFile } : {}
    },
    handlers: {
      'accounts.connect': signIns.connect,
      'accounts.lookAround': signIns.lookAround,
      'accounts.signIn': signIns.signIn,
      'accounts.signOut': ({ account }) => removal.signOut(account),
      'accounts.forget': ({ account }) => removal.forget(account),
      'accounts.list': accounts.view,
      'accounts.rename': async ({ account, label }) => {
        await accounts.save({ ...accounts.profile(account), label })
        return accounts.viewOf(account)
      },
      'accounts.select': ({ account }) => accounts.select(account),
      'accounts.tryNow': ({ account }) => accounts.tryNow(account),
    },
    events: { 'accounts.changed': accounts.onChange },
    forgetAccount: 'follows-accounts',
    signIn: signIns.signIn,
    recogniseBy(known) {
      knownResources = known
    },
    beforeForget: beforeForget.add,
    beforeNewSandbox: beforeNewSandbox.add,
    wakeChanged: (awake) => {
      if (awake) void resume()
    },
    start: keepResuming,
    close: () => {
      closed = true
      cancel()
      stopFollowingKeychain()
    },
  }
}
