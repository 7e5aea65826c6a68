import type { AccountId } from '#shared/bridge/account'
import type { apiTokenCalls, apiTokenEvents, ApiTokenList, ApiTokenView } from '#shared/bridge/api-token'
import type { CallInput, EventPayload, HandlersOf } from '#shared/bridge/index'
import type { ActionOutcome } from '#shared/bridge/machine-action'
import { type Failure, FailureError } from '#shared/failure'
import type { ApiToken } from '#shared/service/api-token'
import { pageSizes } from '#shared/page-sizes'
import { failureOf } from '../core/failure-of'
import type { Accounts } from '../accounts/index'
import { changedNothing, createLookUp, sentOnce } from '../core/at-most-once'
import type { Service } from '../service/index'
import type { CapabilitiesOfAccounts } from '../capabilities/index'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { createLookPoller, lookIntervalSeconds } from '../core/look-poller'
import { defineModule, type EventsOf } from '../core/module'
import { type Absences, createAbsences } from '../core/absences'
import { readAll } from '../core/read-all-pages'
import { unreadableView } from '../core/unreadable'

export interface ApiTokensDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange' | 'service' | 'usesToken' | 'signIn'>
  readonly capabilities: Pick<CapabilitiesOfAccounts, 'using'>
  readonly clock: Clock
  online?(): boolean
}

const unknown = (): FailureError =>
  new FailureError({ kind: 'invalid-input', field: 'token', reason: 'unknown' })

const notWhole: Failure = {
  kind: 'unexpected-answer',
  expected: 'a complete list of readable API tokens',
  received: 'records that are missing or cannot be read',
}

/** Resolves if the token still exists. Fails with invalid-input (token) and as the client does. */
async function verifyTokenExists({ apiTokens }: Service, id: string): Promise<void> {
  const { items } = await readAll((page) => apiTokens.list(page), pageSizes.resources)
  if (!items.some((token) => token.id === id)) throw unknown()
}

/** Whether a complete list no longer contains a token whose deletion was not answered. Never fails. */
const isGone = ({ apiTokens }: Service, id: string): Promise<boolean> =>
  readAll((page) => apiTokens.list(page), pageSizes.resources).then(
    ({ items, complete, unreadable }) =>
      complete && unreadable.length === 0 && !items.some((token) => token.id === id),
    () => false,
  )

/** Holds the API tokens of signed-in accounts with their values, in memory only. */
function createTokenMemory(accounts: Pick<Accounts, 'view' | 'onChange' | 'usesToken'>) {
  const tokens = new Map<AccountId, Map<string, ApiToken>>()
  const absences = new Map<AccountId, Absences>()
  const isSignedIn = (account: AccountId): boolean =>
    accounts.view().accounts.find(({ id }) => id === account)?.state === 'signed-in'
  /** Returns the account's tokens. Late answers after a sign-out change only an empty map. */
  const of = (account: AccountId): Map<string, ApiToken> => {
    if (!isSignedIn(account)) return new Map()
    const known = tokens.get(account) ?? new Map<string, ApiToken>()
    tokens.set(account, known)
    return known
  }
  const unsubscribe = accounts.onChange(() => {
    for (const id of tokens.keys()) {
      if (isSignedIn(id)) continue
      tokens.delete(id)
      absences.delete(id)
    }
  })
  return {
    of,
    isSignedIn,
    absences(account: AccountId): Absences {
      const known = absences.get(account) ?? createAbsences()
      absences.set(account, known)
      return known
    },
    /** Adds a token. Its earlier value and last use are retained if the answer lacks them. */
    add(account: AccountId, token: ApiToken): ApiToken {
      const before = of(account).get(token.id)
      const whole: ApiToken = {
        ...token,
        token: token.token || before?.token,
        last_used: token.last_used ?? before?.last_used,
      }
      of(account).set(token.id, whole)
      return whole
    },
    view: (account: AccountId, token: ApiToken): ApiTokenView => ({
      id: token.id,
      name: token.name,
      description: token.description || null,
      createdAt: token.created_at || null,
      lastUsed: token.last_used ?? null,
      hasValue: Boolean(token.token),
      inUse: Boolean(token.token) && accounts.usesToken(account, token.token ?? ''),
    }),
    close: unsubscribe,
  }
}
type TokenMemory = ReturnType<typeof createTokenMemory>

/** Reads the list. A token is dropped once two complete lists in a row do not name it. */
async function readTokens(
  { apiTokens }: Service,
  memory: TokenMemory,
  account: AccountId,
): Promise<Omit<ApiTokenList, 'asOf'> & { isWhole: boolean }> {
  // A token that is created during the reading is not in the list, and the service reports its value only once.
  const before = [...memory.of(account).keys()]
  const reading = await readAll((page) => apiTokens.list(page), pageSizes.resources)
  const tokens = memory.of(account)
  const named = new Set([...reading.items, ...reading.unreadable].map(({ id }) => id))
  const missing = before.filter((id) => !named.has(id) && tokens.has(id))
  // Tokens have no detail call that could confirm the absence, so lists with a wrong total prove nothing.
  const gone = memory.absences(account).take(missing, { ...reading, excess: null })
  for (const id of gone) tokens.delete(id)
  const items = reading.items.map((token) => memory.add(account, token))
  const unconfirmed = missing.flatMap((id) => tokens.get(id) ?? [])
  const unreadable = unreadableView(reading.unreadable)
  return {
    items: [...items, ...unconfirmed].map((token) => memory.view(account, token)),
    ...(unreadable && { unreadable }),
    isWhole: reading.complete && !unreadable,
  }
}

/** Deletes a token after a check of its name. Fails with invalid-input (token, name) and as the client does. */
async function deleteToken(
  { accounts, capabilities }: Pick<ApiTokensDeps, 'accounts' | 'capabilities'>,
  memory: TokenMemory,
  { account, token, name }: CallInput<'apiTokens.delete'>,
): Promise<ActionOutcome> {
  const service = accounts.service(account)
  const known = memory.of(account).get(token)
  if (!known) throw unknown()
  if (known.name.trim() !== name)
    throw new FailureError({ kind: 'invalid-input', field: 'name', reason: 'not-the-name' })
  const outcome = await sentOnce('apiTokens.delete', () =>
    capabilities.using(
      account,
      'delete-token',
      () => service.apiTokens.remove(token),
      () => verifyTokenExists(service, token),
    ),
  )
  if (outcome.kind === 'unknown' && !(await isGone(service, token))) return outcome
  memory.of(account).delete(token)
  return { kind: 'done' }
}

/** Manages the API tokens of all accounts. Their values stay in memory while the account is signed in. */
export function createApiTokens({ accounts, capabilities, clock, online = () => true }: ApiTokensDeps) {
  const memory = createTokenMemory(accounts)
  const read = (account: AccountId) => readTokens(accounts.service(account), memory, account)

  /** Returns the plain value. Fails with invalid-input (token) if the token or its value is unknown. */
  async function secret(account: AccountId, id: string): Promise<string> {
    if (!memory.of(account).get(id)?.token) await read(account)
    const value = memory.of(account).get(id)?.token
    if (!value) throw unknown()
    return value
  }

  async function list(account: AccountId): Promise<ApiTokenList> {
    const { isWhole: _, ...tokens } = await read(account)
    return { ...tokens, asOf: clock.now() }
  }

  const { lookUp, close: endLookUps } = createLookUp(clock)
  /** Finds a token, and reads the list several times before it returns null. Fails if the list is incomplete. */
  async function find(
    account: AccountId,
    matches: (token: ApiTokenView) => boolean,
  ): Promise<ApiTokenView | null> {
    let match: ApiTokenView | undefined
    const result = await lookUp(async () => {
      const { items, isWhole } = await read(account)
      match = items.find(matches)
      if (match) return 'done'
      if (isWhole) return 'not-done'
      // An incomplete list may lack the token, so it is read again.
      throw new FailureError(notWhole)
    })
    // The last reading fails with the reason why the list cannot be read.
    if (result === 'unknown' && !(await read(account)).isWhole) throw new FailureError(notWhole)
    return match ?? null
  }

  const changes = createEmitter<EventPayload<'apiTokens.changed'>>()
  const poller = createLookPoller<AccountId>({
    clock,
    online,
    interval: lookIntervalSeconds,
    async read(account) {
      // The window itself requests the data of an account that is not signed in.
      if (!memory.isSignedIn(account)) return
      try {
        changes.emit({ account, list: await list(account), failure: null })
      } catch (error) {
        changes.emit({ account, list: null, failure: failureOf(error, 'apiTokens') })
      }
    },
  })

  const handlers: HandlersOf<typeof apiTokenCalls> = {
    'apiTokens.list': ({ account }) => list(account),
    'apiTokens.look': ({ account, looking }) => poller.look(account, looking),
    'apiTokens.update': async ({ account, token, change }) => {
      const { apiTokens } = accounts.service(account)
      try {
        const updated = await apiTokens.update(token, change)
        return { kind: 'done', token: memory.view(account, memory.add(account, updated)) }
      } catch (error) {
        if (changedNothing(error)) throw error
        return { kind: 'unknown', failure: failureOf(error, 'apiTokens.update') }
      }
    },
    'apiTokens.lookUpUpdate': ({ account, token, change: { name, description } }) =>
      find(
        account,
        (candidate) =>
          candidate.id === token &&
          candidate.name === name &&
          (description === undefined || (candidate.description ?? '') === description),
      ),
    'apiTokens.use': async ({ account, token }) => {
      const value = await secret(account, token)
      const staySignedIn = accounts.view().accounts.find(({ id }) => id === account)?.staysSignedIn ?? false
      const credential = { kind: 'api-token', token: value } as const
      return accounts.signIn({ account, credential, staySignedIn })
    },
    'apiTokens.create': async ({ account, token }) => {
      const { apiTokens } = accounts.service(account)
      try {
        const created = await capabilities.using(
          account,
          'create-token',
          () => apiTokens.create(token),
          () => apiTokens.list({ limit: 1 }),
        )
        const whole = memory.add(account, { ...created, last_used: created.last_used ?? 0 })
        return { kind: 'created', token: memory.view(account, whole) }
      } catch (error) {
        if (changedNothing(error)) throw error
        return { kind: 'unknown', failure: failureOf(error, 'apiTokens.create') }
      }
    },
    'apiTokens.lookUp': ({ account, name, before }) =>
      find(account, (token) => token.name === name && !before.includes(token.id)),
    'apiTokens.delete': (input) => deleteToken({ accounts, capabilities }, memory, input),
  }

  const events: EventsOf<typeof apiTokenEvents> = { 'apiTokens.changed': changes.on }
  return defineModule({
    handlers,
    events,
    forgetAccount: 'follows-accounts',
    secret,
    windowChanged: poller.windowChanged,
    wakeChanged: poller.wakeChanged,
    close() {
      endLookUps()
      poller.close()
      memory.close()
    },
  })
}
export type ApiTokens = ReturnType<typeof createApiTokens>
