import type { AccountId, AccountView } from '#shared/bridge/account'
import type { CallInput } from '#shared/bridge/index'
import { failureOf } from '../core/failure-of'
import { baseUrlCandidates } from '../service/base-url'
import type { Transport } from '../service/transport'
import { type WireCredential, signIn, type SessionTokens } from '../service/login'
import type { Mutex } from '../core/mutex'
import { singleFlight } from '../core/single-flight'
import type { AccountList } from './account-list'
import type { KeptSecrets } from './kept-secrets'
import { hasUser, isUser, newAccountId, type Profile } from './profiles'
import { passwordDigest, wireCredentialOf } from './wire-credential'
import type { SandboxAccess, SandboxHost } from './sandbox-host'

export interface SignInDeps {
  readonly transport: Transport
  readonly accounts: AccountList
  readonly secrets: KeptSecrets
  readonly sandbox: SandboxHost
  readonly loopbackOnly: boolean
  readonly mutex: Mutex
}

/** The ways in: connect a new account, sign a known one in, look around in the sandbox. */
export const signInCalls = (deps: SignInDeps) => {
  const { transport, accounts, secrets, sandbox, loopbackOnly, mutex } = deps

  const holdsToken = async (profile: Profile, token: string): Promise<boolean> => {
    const inMemory = accounts.session(profile.id).wireCredential()
    if (inMemory !== undefined) return inMemory.kind === 'api-token' && inMemory.token === token
    const kept = profile.inKeychain ? await secrets.read(profile).catch(() => undefined) : undefined
    return kept?.kind === 'api-token' && kept.token === token
  }

  /** The account that this credential belongs to already: the same user, or the same token, at the same service. */
  const knownAs = async (baseUrl: string, wireCredential: WireCredential): Promise<Profile | undefined> => {
    for (const profile of accounts.all()) {
      if (profile.baseUrl !== baseUrl) continue
      if (wireCredential.kind === 'password' && isUser(profile, wireCredential.username)) return profile
      if (wireCredential.kind === 'api-token' && profile.credential === 'api-token') {
        if (await holdsToken(profile, wireCredential.token)) return profile
      }
    }
    return undefined
  }

  /** Keeps in the keychain, or no longer, as the person wished. A keychain that cannot be used shows in the view. */
  const keepAsWished = async (id: AccountId): Promise<void> => {
    if (accounts.profile(id).staySignedIn) await accounts.keep(id)
    else await accounts.drop(id).catch(() => accounts.changed())
  }

  const settle = async (
    profile: Profile,
    wireCredential: WireCredential,
    tokens: SessionTokens | undefined,
  ): Promise<AccountView> => {
    const { id, baseUrl, staySignedIn } = profile
    const saved = accounts.saveAndSelect(profile)
    // The person was just let in: a pause from before is over.
    accounts.tryNow(id)
    accounts.session(id).adopt({ baseUrl, wireCredential }, tokens, staySignedIn)
    await Promise.all([saved, keepAsWished(id)])
    return accounts.viewOf(id)
  }

  const connect = async (typed: CallInput<'accounts.connect'>): Promise<AccountView> => {
    const wireCredential = wireCredentialOf(typed.credential)
    const { baseUrl, tokens } = await signIn(
      transport,
      baseUrlCandidates(typed.baseUrl, loopbackOnly),
      wireCredential,
    )
    const label = typed.label === undefined || typed.label.trim() === '' ? null : typed.label.trim()
    return mutex(async () => {
      const found = await knownAs(baseUrl, wireCredential)
      // Its label may have come in while the keychain was asked.
      const known = found && accounts.profile(found.id)
      const profile: Profile = {
        id: known?.id ?? newAccountId(),
        label: label ?? known?.label ?? null,
        baseUrl,
        credential: wireCredential.kind,
        username: wireCredential.kind === 'password' ? wireCredential.username : (known?.username ?? null),
        usernameHash: known?.usernameHash,
        sandbox: known?.sandbox ?? false,
        staySignedIn: typed.staySignedIn,
        inKeychain: known?.inKeychain ?? false,
      }
      return settle(profile, wireCredential, tokens)
    })
  }

  const enterSandbox = async () => {
    const access = await sandbox.start()
    const { baseUrl, username, password } = access
    const wireCredential: WireCredential = { kind: 'password', username, digest: passwordDigest(password) }
    const { tokens } = await signIn(transport, [baseUrl], wireCredential)
    return { access, wireCredential, tokens }
  }

  const sandboxProfile = ({ baseUrl, username }: SandboxAccess): Profile => {
    const known = accounts.all().find((profile) => profile.sandbox)
    return {
      id: known?.id ?? newAccountId(),
      label: known?.label ?? null,
      baseUrl,
      credential: 'password',
      username,
      sandbox: true,
      staySignedIn: true,
      // A keychain that is locked today still holds the secret of the world that it was made from.
      inKeychain: sandbox.persistent() || (known?.inKeychain ?? false),
    }
  }

  const lookAround = async (): Promise<AccountView> => {
    const wasRunning = sandbox.access() !== undefined
    const { access, wireCredential, tokens } = await enterSandbox().catch((error: unknown) => {
      // A process that ran before and answers no more is gone: once, a new one is started.
      if (!wasRunning || failureOf(error, 'accounts.startSandbox').kind !== 'cannot-connect') throw error
      sandbox.stopped()
      return enterSandbox()
    })
    return mutex(() => settle(sandboxProfile(access), wireCredential, tokens))
  }

  return {
    connect,
    signIn: async ({
      account,
      credential,
      staySignedIn,
    }: CallInput<'accounts.signIn'>): Promise<AccountView> => {
      const profile = accounts.profile(account)
      const { baseUrl, sandbox: isSandbox } = profile
      // Another user is another account: its machines have nothing to do with this one's.
      if (credential.kind === 'password' && hasUser(profile) && !isUser(profile, credential.username)) {
        return connect({ baseUrl, credential, staySignedIn })
      }
      const wireCredential = wireCredentialOf(credential)
      const reached = isSandbox
        ? (await sandbox.start()).baseUrl
        : baseUrlCandidates(baseUrl, loopbackOnly)[0]
      await accounts.session(account).signIn({ baseUrl: reached, wireCredential }, staySignedIn)
      return mutex(async () => {
        const present = accounts.profile(account)
        const saved = accounts.save({
          ...present,
          baseUrl: reached,
          credential: wireCredential.kind,
          username: wireCredential.kind === 'password' ? wireCredential.username : present.username,
          staySignedIn,
        })
        await Promise.all([saved, keepAsWished(account)])
        return accounts.viewOf(account)
      })
    },
    lookAround: singleFlight(lookAround),
  }
}
