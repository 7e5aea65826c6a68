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
import { type AccountList, createAccountList } from './account-list'
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
  /** Whether only services on this computer are allowed. */
  readonly loopbackOnly: boolean
  /** Resolves once the first window is painted. Stored accounts send no request before. */
  firstPaint(): Promise<void>
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
   * Returns the service of an account. Its calls renew the sign-in if the user chose that. They fail as the client does,
   * and with not-signed-in.
   */
  service(account: AccountId): Service
  /**
   * Signs in every account that stays signed in, and starts the sandbox if necessary. Never fails: see the view. Further
   * calls, such as after sleep, skip accounts that are signed in.
   */
  resume(): Promise<void>
  signIn(input: CallInput<'accounts.signIn'>): Promise<AccountView>
  /**
   * Sets the function that lists an account's known resources, which identify its credentials. It returns null if the
   * stored data cannot be read now.
   */
  recogniseBy(known: (account: AccountId) => Promise<ReadonlySet<string> | null>): void
  /** Adds a function that deletes data of an account, which is signed out but still in the view then. */
  beforeForget: Hook<AccountId>['add']
  /** Adds a function that deletes data of the previous sandbox's world, whose account continues to exist. */
  beforeNewSandbox: Hook<AccountId>['add']
  usesToken(account: AccountId, token: string): boolean
  /** Returns the sandbox's SSH port and key for its account; nothing for other accounts. */
  sshDefaults(account: AccountId): Partial<SshDefaults>
  wakeChanged(awake: boolean): void
  start(): Promise<void>
  close(): void
}

const resumeIntervalSeconds = 30

/** Repeats the keychain operations that failed for an account, once the keychain is available again. */
async function retryKeychain(accounts: AccountList, { id }: Profile): Promise<void> {
  const { staySignedIn, inKeychain, sandbox } = accounts.profile(id)
  if (sandbox) return
  const session = accounts.session(id)
  if (staySignedIn && !inKeychain) await accounts.storeSecret(id)
  if (!staySignedIn && inKeychain) {
    await accounts.removeSecret(id)
    if (session.shown().state === 'signed-out') session.signOut()
  }
  if (session.shown().failure?.kind === 'keychain-unavailable') await session.resume()
}

/** Manages the accounts on this computer. No other module holds their credentials. */
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
  profiles.onLoad(() => accounts.changed())

  const stopFollowingKeychain = keychain.onChange(({ available }) => {
    accounts.changed()
    if (!available) return
    for (const profile of accounts.all()) {
      // The view shows a failure. The next time the keychain becomes available is the next attempt.
      mutex(() => retryKeychain(accounts, profile)).catch(() => accounts.changed())
    }
  })

  const resume = async (): Promise<void> => {
    const staying = accounts.all().filter(({ staySignedIn }) => staySignedIn)
    const sessions = staying.map(({ id }) => accounts.session(id))
    // An unavailable keychain is not read again (see retryKeychain): each attempt may ask for its password.
    const waiting = sessions.filter((session) => session.shown().failure?.kind !== 'keychain-unavailable')
    await Promise.all(waiting.map((session) => session.resume()))
  }

  /** Restarts the sandbox if an account is signed in to it. Never fails. */
  const sandboxLost = async (): Promise<void> => {
    sandbox.stopped()
    const sessions = sandboxProfiles().map(({ id }) => accounts.session(id))
    for (const session of sessions) if (session.shown().state !== 'signed-out') session.signOut()
    await resume()
  }
  deps.sandbox.onLost(sandboxLost)

  let cancel = (): void => undefined
  let isClosed = false
  /** Retries unreachable accounts, but no refused ones. */
  const keepResuming = async (): Promise<void> => {
    await resume()
    if (!isClosed) cancel = clock.after(resumeIntervalSeconds, () => void keepResuming())
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
      isClosed = true
      cancel()
      stopFollowingKeychain()
    },
  }
}
