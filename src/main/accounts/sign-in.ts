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
  /** Returns the ids of an account's known resources; null if the stored data cannot be read now. */
  knownResources(account: AccountId): Promise<ReadonlySet<string> | null>
}

const tokenHashOf = (wireCredential: WireCredential, known: Profile | undefined): string | undefined =>
  wireCredential.kind === 'password' || (known && isTokenOf(known, wireCredential.token))
    ? known?.tokenHash
    : hashName(wireCredential.token)

async function holdsToken(
  { accounts, secrets }: Pick<SignInDeps, 'accounts' | 'secrets'>,
  profile: Profile,
  token: string,
): Promise<boolean> {
  const inMemory = accounts.session(profile.id).wireCredential()
  if (inMemory !== undefined) return inMemory.kind === 'api-token' && inMemory.token === token
  const stored = profile.inKeychain ? await secrets.read(profile).catch(() => undefined) : undefined
  return stored?.kind === 'api-token' && stored.token === token
}

/** Finds the account of a credential: the same user or API token at the same service. */
async function findAccount(
  deps: Pick<SignInDeps, 'accounts' | 'secrets'>,
  baseUrl: string,
  wireCredential: WireCredential,
): Promise<Profile | undefined> {
  for (const profile of deps.accounts.all()) {
    if (profile.baseUrl !== baseUrl) continue
    if (wireCredential.kind === 'password' && isUser(profile, wireCredential.username)) return profile
    if (wireCredential.kind !== 'api-token') continue
    const { token } = wireCredential
    if (isTokenOf(profile, token)) return profile
    if (profile.credential === 'api-token' && (await holdsToken(deps, profile, token))) return profile
  }
  return undefined
}

/**
 * Checks that a new credential can read a resource of the account. Otherwise fails with invalid-input (credential:
 * another-account), since the account's data would seem gone and be dropped.
 */
async function requireSame(
  { transport, knownResources }: Pick<SignInDeps, 'transport' | 'knownResources'>,
  account: AccountId,
  authorization: Authorization,
): Promise<void> {
  const resources = await knownResources(account)
  if (resources?.size === 0) return
  if (resources && (await showsAnyOf(transport, authorization, resources))) return
  throw new FailureError({ kind: 'invalid-input', field: 'credential', reason: 'another-account' })
}

async function enterSandbox({ sandbox, transport }: Pick<SignInDeps, 'sandbox' | 'transport'>) {
  const access = await sandbox.start()
  const { baseUrl, username, password } = access
  const wireCredential: WireCredential = { kind: 'password', username, digest: passwordDigest(password) }
  const { tokens } = await signIn(transport, [baseUrl], wireCredential, () => true)
  return { access, wireCredential, tokens }
}

function sandboxProfile(
  { accounts, sandbox }: Pick<SignInDeps, 'accounts' | 'sandbox'>,
  { baseUrl, username }: SandboxAccess,
): Profile {
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
    // A keychain that is locked now still contains the secret of the stored world.
    inKeychain: sandbox.persistent() || (known?.inKeychain ?? false),
  }
}

/** Creates the calls that sign in: to a new account, to a known one, and to the sandbox. */
export const signInCalls = (deps: SignInDeps) => {
  const { transport, accounts, sandbox, loopbackOnly, mutex } = deps

  /** Stores or removes the secret according to `staySignedIn`. The view shows that the keychain is unavailable. */
  const updateKeychain = async (id: AccountId): Promise<void> => {
    if (accounts.profile(id).staySignedIn) await accounts.storeSecret(id)
    else await accounts.removeSecret(id).catch(() => accounts.changed())
  }

  const admit = async (
    profile: Profile,
    wireCredential: WireCredential,
    tokens: SessionTokens | undefined,
  ): Promise<AccountView> => {
    const { id, baseUrl, staySignedIn } = profile
    const saved = accounts.saveAndSelect(profile)
    // A successful sign-in ends an earlier pause.
    accounts.tryNow(id)
    accounts.session(id).adopt({ baseUrl, wireCredential }, tokens, staySignedIn)
    await Promise.all([saved, updateKeychain(id)])
    return accounts.viewOf(id)
  }

  /** Whether credentials may be sent to a base URL: an account was signed in there, or the user confirmed it. */
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
      const match = await findAccount(deps, baseUrl, wireCredential)
      // The label may have been loaded while the keychain was read.
      const known = match && accounts.profile(match.id)
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
      return admit(profile, wireCredential, tokens)
    })
  }

  const lookAround = async (): Promise<AccountView> => {
    const wasRunning = sandbox.access() !== undefined
    const { access, wireCredential, tokens } = await enterSandbox(deps).catch((error: unknown) => {
      // A process that no longer answers is gone: start a new one, once.
      if (!wasRunning || failureOf(error, 'accounts.startSandbox').kind !== 'cannot-connect') throw error
      sandbox.stopped()
      return enterSandbox(deps)
    })
    return mutex(() => admit(sandboxProfile(deps, access), wireCredential, tokens))
  }

  return {
    connect,
    signIn: async (input: CallInput<'accounts.signIn'>): Promise<AccountView> => {
      const { account, credential, staySignedIn, confirmed } = input
      const profile = accounts.profile(account)
      const { baseUrl, sandbox: isSandbox } = profile
      const wireCredential = wireCredentialOf(credential)
      const serviceUrl = isSandbox
        ? (await sandbox.start()).baseUrl
        : baseUrlCandidates(baseUrl, loopbackOnly)[0]
      const known = isSandbox ? profile : await findAccount(deps, serviceUrl, wireCredential)
      // Another user, or the credential of another account, means another account with other machines.
      const isOtherUser =
        credential.kind === 'password' && hasUser(profile) && !isUser(profile, credential.username)
      if (isOtherUser || (known !== undefined && known.id !== account))
        return connect({ baseUrl, credential, staySignedIn, confirmed })
      const isVerified = known !== undefined || confirmed?.includes('account') === true
      await accounts.session(account).signIn({ baseUrl: serviceUrl, wireCredential }, staySignedIn, {
        isTrusted: trusted(confirmed),
        check: (authorization) =>
          isVerified ? Promise.resolve() : requireSame(deps, account, authorization),
      })
      return mutex(async () => {
        const present = accounts.profile(account)
        const saved = accounts.save({
          ...present,
          baseUrl: serviceUrl,
          credential: wireCredential.kind,
          username: wireCredential.kind === 'password' ? wireCredential.username : present.username,
          tokenHash: tokenHashOf(wireCredential, present),
          identifiedUrl: isSandbox ? null : serviceUrl,
          staySignedIn,
        })
        await Promise.all([saved, updateKeychain(account)])
        return accounts.viewOf(account)
      })
    },
    lookAround: singleFlight(lookAround),
  }
}
