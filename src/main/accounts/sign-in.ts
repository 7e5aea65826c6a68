import type { AccountId, AccountView, SignInConfirmation } from '#shared/bridge/account'
import type { CallInput } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { failureOf } from '../core/failure-of'
import { baseUrlCandidates } from '../service/base-url'
import type { Transport } from '../service/transport'
import type { Authorization } from '../service/http'
import { type WireCredential, signIn, type SessionTokens } from '../service/login'
import { hashName } from '../store/name-hash'
import type { Mutex } from '../core/mutex'
import { singleFlight } from '../core/single-flight'
import type { AccountList } from './account-list'
import type { KeptSecrets } from './kept-secrets'
import { hasUser, isTokenOf, isUser, newAccountId, type Profile } from './profiles'
import { showsAnyOf } from './same-account'
import { passwordDigest, wireCredentialOf } from './wire-credential'
import type { SandboxAccess, SandboxHost } from './sandbox-host'

export interface SignInDeps {
  readonly transport: Transport
  readonly accounts: AccountList
  readonly secrets: KeptSecrets
  readonly sandbox: SandboxHost
  readonly loopbackOnly: boolean
  readonly mutex: Mutex
  /** Ids of the resources that are known of an account; null: what is kept of it cannot be read now. */
  knownResources(account: AccountId): Promise<ReadonlySet<string> | null>
}

const tokenHashOf = (wireCredential: WireCredential, known: Profile | undefined): string | undefined =>
  wireCredential.kind === 'password' || (known && isTokenOf(known, wireCredential.token))
    ? known?.tokenHash
    : hashName(wireCredential.token)

/** The ways in: connect a new account, sign a known one in, look around in the sandbox. */
export const signInCalls = (deps: SignInDeps) => {
  const { transport, accounts, secrets, sandbox, loopbackOnly, mutex, knownResources } = deps

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
      if (wireCredential.kind !== 'api-token') continue
      const { token } = wireCredential
      if (isTokenOf(profile, token)) return profile
      if (profile.credential === 'api-token' && (await holdsToken(profile, token))) return profile
    }
    return undefined
  }

  /**
   * Decides whether a new credential is the account's: it shows something that is known of the account. Fails with
   * invalid-input (credential: another-account) if it does not, as the account's data would then be dropped as gone.
   */
  async function requireSame(account: AccountId, authorization: Authorization): Promise<void> {
    const resources = await knownResources(account)
    if (resources?.size === 0) return
    if (resources && (await showsAnyOf(transport, authorization, resources))) return
    throw new FailureError({ kind: 'invalid-input', field: 'credential', reason: 'another-account' })
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

  /** Returns whether credentials may be sent to a base URL: a known account was signed in there, or the user confirmed it. */
  const trusted =
    (confirmed: readonly SignInConfirmation[] = []) =>
    (baseUrl: string): boolean =>
      confirmed.includes('address') || accounts.all().some(({ id }) => accounts.isTrusted(id, baseUrl))

  const connect = async (typed: CallInput<'accounts.connect'>): Promise<AccountView> => {
    const wireCredential = wireCredentialOf(typed.credential)
    const { baseUrl, tokens } = await signIn(
      transport,
      baseUrlCandidates(typed.baseUrl, loopbackOnly),
      wireCredential,
      trusted(typed.confirmed),
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
        tokenHash: tokenHashOf(wireCredential, known),
        identifiedUrl: baseUrl,
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
    const { tokens } = await signIn(transport, [baseUrl], wireCredential, () => true)
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
      identifiedUrl: null,
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
    signIn: async (input: CallInput<'accounts.signIn'>): Promise<AccountView> => {
      const { account, credential, staySignedIn, confirmed } = input
      const profile = accounts.profile(account)
      const { baseUrl, sandbox: isSandbox } = profile
      const wireCredential = wireCredentialOf(credential)
      const reached = isSandbox
        ? (await sandbox.start()).baseUrl
        : baseUrlCandidates(baseUrl, loopbackOnly)[0]
      const known = isSandbox ? profile : await knownAs(reached, wireCredential)
      // Another user, or the credential of another account, is another account: its machines are not this one's.
      const isOtherUser =
        credential.kind === 'password' && hasUser(profile) && !isUser(profile, credential.username)
      if (isOtherUser || (known !== undefined && known.id !== account))
        return connect({ baseUrl, credential, staySignedIn, confirmed })
      const isProved = known !== undefined || confirmed?.includes('account') === true
      await accounts.session(account).signIn({ baseUrl: reached, wireCredential }, staySignedIn, {
        isTrusted: trusted(confirmed),
        check: (authorization) => (isProved ? Promise.resolve() : requireSame(account, authorization)),
      })
      return mutex(async () => {
        const present = accounts.profile(account)
        const saved = accounts.save({
          ...present,
          baseUrl: reached,
          credential: wireCredential.kind,
          username: wireCredential.kind === 'password' ? wireCredential.username : present.username,
          tokenHash: tokenHashOf(wireCredential, present),
          identifiedUrl: isSandbox ? null : reached,
          staySignedIn,
        })
        await Promise.all([saved, keepAsWished(account)])
        return accounts.viewOf(account)
      })
    },
    lookAround: singleFlight(lookAround),
  }
}
