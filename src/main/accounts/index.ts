import type { AccountId, accountCalls, AccountsView } from '#shared/bridge/account'
import type { HandlersOf } from '#shared/bridge/index'
import type { SshDefaults } from '#shared/bridge/ssh'
import { type Transport, usualLimits } from '../service/transport'
import type { Service } from '../service/index'
import type { SettingsStore } from '../store/settings'
import { createAccountList } from './account-list'
import { keptSecrets } from './kept-secrets'
import type { Keychain, KeychainState } from './keychain'
import { signOutHandlers } from './sign-out'
import { type Profile, Profiles } from './profiles'
import { createSandboxHost, type SandboxAccess, type SandboxSecret } from './sandbox-host'
import { signInHandlers } from './sign-in'
import { createMutex } from '../core/mutex'

export type { SandboxAccess, SandboxSecret } from './sandbox-host'

export interface AccountsDeps {
  readonly fetch: Transport['fetch']
  /** Needed with Electron's fetch: see Transport. */
  readonly freshFetch?: Transport['freshFetch']
  readonly keychain: Keychain
  readonly settings: Pick<SettingsStore, 'section'>
  /** Epoch seconds. */
  now(): number
  /** Admits only services on this computer. */
  readonly loopbackOnly: boolean
  /** Whether the system says that it has a network. */
  online(): boolean
  startSandbox(secret: SandboxSecret): Promise<SandboxAccess>
  /** Removes what other parts keep about an account; it is signed out, and still in the view. */
  onForget(account: AccountId): void | Promise<void>
}

export interface Accounts {
  view(): AccountsView
  onChange(listener: (view: AccountsView) => void): () => void
  /**
   * The service of an account. Its calls sign in again by themselves where the person chose so, and fail with
   * not-signed-in where they did not, besides what the client fails with.
   */
  service(account: AccountId): Service
  /**
   * Signs in every account that stays signed in, the sandbox's process included. Never fails: the view tells. May be
   * called again, when the network is back or the computer wakes up: what is signed in is left alone.
   */
  resume(): Promise<void>
  /** The sandbox's process ended by itself: it is started again for whoever was signed in to it. Never fails. */
  sandboxLost(): Promise<void>
  /** Whether this token is what the account is signed in with. */
  usesToken(account: AccountId, token: string): boolean
  keychainState(): KeychainState
  onKeychainChange(listener: (state: KeychainState) => void): () => void
  /** What SSH starts from for the machines of an account: the sandbox's port and key, nothing for the others. */
  sshDefaults(account: AccountId): Partial<SshDefaults>
  readonly handlers: HandlersOf<typeof accountCalls>
}

/** The accounts on this computer, and the only place that holds what proves them. */
export const createAccounts = (deps: AccountsDeps): Accounts => {
  const { fetch, freshFetch, keychain, settings, now, loopbackOnly, online, startSandbox, onForget } = deps
  const transport: Transport = { fetch, freshFetch, online, now, ...usualLimits }
  const sandbox = createSandboxHost(keychain, startSandbox)
  const secrets = keptSecrets(keychain)
  const profiles = settings.section('accounts', Profiles)
  const accounts = createAccountList({ transport, profiles, keychain, secrets, sandbox, loopbackOnly })
  const inTurn = createMutex()

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

  keychain.onChange(({ available }) => {
    accounts.changed()
    if (!available) return
    for (const profile of accounts.all()) {
      // Whatever fails here is told by the view, and tried again when the keychain comes back the next time.
      inTurn(() => catchUp(profile)).catch(() => accounts.changed())
    }
  })

  const resume = async (): Promise<void> => {
    const staying = accounts.all().filter(({ staySignedIn }) => staySignedIn)
    const sessions = staying.map(({ id }) => accounts.session(id))
    // The keychain is left alone until it can be used (catchUp): each look may ask the person for its password.
    const waiting = sessions.filter((session) => session.shown().failure?.kind !== 'keychain-unavailable')
    await Promise.all(waiting.map((session) => session.resume()))
  }

  return {
    view: accounts.view,
    onChange: accounts.onChange,
    service: accounts.service,
    resume,
    sandboxLost: async () => {
      sandbox.stopped()
      const inSandbox = accounts.all().filter((profile) => profile.sandbox)
      const sessions = inSandbox.map(({ id }) => accounts.session(id))
      for (const session of sessions) if (session.shown().state !== 'signed-out') session.signOut()
      await resume()
    },
    usesToken: (id, token) => {
      const known = accounts.all().some((profile) => profile.id === id)
      const proof = known ? accounts.session(id).proof() : undefined
      return proof?.kind === 'api-token' && proof.token === token
    },
    keychainState: keychain.state,
    onKeychainChange: keychain.onChange,
    sshDefaults: (id) => {
      const access = sandbox.access()
      const isSandbox = accounts.all().some((profile) => profile.id === id && profile.sandbox)
      return isSandbox && access ? { port: access.sshPort, identityFile: access.identityFile } : {}
    },
    handlers: {
      ...signInHandlers({ transport, accounts, secrets, sandbox, loopbackOnly, inTurn }),
      ...signOutHandlers({ accounts, sandbox, inTurn, onForget }),
      'accounts.list': accounts.view,
      'accounts.rename': async ({ account, label }) => {
        await accounts.save({ ...accounts.profile(account), label })
        return accounts.viewOf(account)
      },
      'accounts.select': ({ account }) => accounts.select(account),
    },
  }
}
