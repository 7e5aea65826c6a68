import type { AccountId, AccountsView } from '#shared/bridge/account'
import type { apiTokenCalls, apiTokenEvents, ApiTokenList, ApiTokenView } from '#shared/bridge/api-token'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
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
import { createLookPoller, lookInterval } from '../core/look-poller'
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

/** Settles where the token still exists. Fails with invalid-input (token) and as the client does. */
async function verifyTokenExists({ apiTokens }: Service, id: string): Promise<void> {
  const { items } = await readAll((page) => apiTokens.list(page), pageSizes.resources)
  if (!items.some((token) => token.id === id)) throw unknown()
}

/** Whether a complete list does not name it any more, where deleting it got no answer. Never fails. */
const isGone = ({ apiTokens }: Service, id: string): Promise<boolean> =>
  readAll((page) => apiTokens.list(page), pageSizes.resources).then(
    ({ items, complete, unreadable }) =>
      complete && unreadable.length === 0 && !items.some((token) => token.id === id),
    () => false,
  )

/** The API tokens of all accounts. Their values stay in memory here, as long as the account is signed in. */
export function createApiTokens({ accounts, capabilities, clock, online = () => true }: ApiTokensDeps) {
  const known = new Map<AccountId, Map<string, ApiToken>>()
  const absencesOf = new Map<AccountId, Absences>()
  const isSignedIn = (account: AccountId): boolean =>
    accounts.view().accounts.find(({ id }) => id === account)?.state === 'signed-in'
  /** What an answer brings that comes after the account was left is kept nowhere. */
  const of = (account: AccountId): Map<string, ApiToken> => {
    if (!isSignedIn(account)) return new Map()
    const tokens = known.get(account) ?? new Map<string, ApiToken>()
    known.set(account, tokens)
    return tokens
  }

  function follow({ accounts: all }: AccountsView): void {
    for (const id of known.keys()) {
      if (all.find((account) => account.id === id)?.state === 'signed-in') continue
      known.delete(id)
      absencesOf.delete(id)
    }
  }
  const unsubscribe = accounts.onChange(follow)

  /** What an answer leaves out (its value, when it was last used) is kept from before. */
  function remember(account: AccountId, token: ApiToken): ApiToken {
    const before = of(account).get(token.id)
    const whole: ApiToken = {
      ...token,
      token: token.token || before?.token,
      last_used: token.last_used ?? before?.last_used,
    }
    of(account).set(token.id, whole)
    return whole
  }

  const view = (account: AccountId, token: ApiToken): ApiTokenView => ({
    id: token.id,
    name: token.name,
    description: token.description || null,
    createdAt: token.created_at || null,
    lastUsed: token.last_used ?? null,
    hasValue: Boolean(token.token),
    inUse: Boolean(token.token) && accounts.usesToken(account, token.token ?? ''),
  })

  /** A token is forgotten once two complete lists in a row do not name it, or it was deleted here. */
  async function read(account: AccountId): Promise<Omit<ApiTokenList, 'asOf'> & { isWhole: boolean }> {
    const { apiTokens } = accounts.service(account)
    // One that is created while the list is read is not in it, and the service answers its value only once.
    const before = [...of(account).keys()]
    const reading = await readAll((page) => apiTokens.list(page), pageSizes.resources)
    const named = new Set([...reading.items, ...reading.unreadable].map(({ id }) => id))
    const absences = absencesOf.get(account) ?? createAbsences()
    absencesOf.set(account, absences)
    const missing = before.filter((id) => !named.has(id) && of(account).has(id))
    // No detail confirms what a list with a wrong total lacks: nothing is learned from it.
    const gone = absences.take(missing, { ...reading, excess: null })
    for (const id of gone) of(account).delete(id)
    const kept = missing.flatMap((id) => of(account).get(id) ?? [])
    const unreadable = unreadableView(reading.unreadable)
    return {
      items: [...reading.items.map((token) => remember(account, token)), ...kept].map((token) =>
        view(account, token),
      ),
      ...(unreadable && { unreadable }),
      isWhole: reading.complete && !unreadable,
    }
  }

  /** Its plain value. Fails with invalid-input (token) where there is no such token, or the service does not answer it. */
  async function secret(account: AccountId, id: string): Promise<string> {
    if (!of(account).get(id)?.token) await read(account)
    const value = of(account).get(id)?.token
    if (!value) throw unknown()
    return value
  }

  async function list(account: AccountId): Promise<ApiTokenList> {
    const { isWhole: _, ...found } = await read(account)
    return { ...found, asOf: clock.now() }
  }

  const { lookUp, close: endLookUps } = createLookUp(clock)
  /** The token that fits, read several times before there is none. Fails where the list cannot be read in full. */
  async function find(
    account: AccountId,
    fits: (token: ApiTokenView) => boolean,
  ): Promise<ApiTokenView | null> {
    let found: ApiTokenView | undefined
    const result = await lookUp(async () => {
      const { items, isWhole } = await read(account)
      found = items.find(fits)
      if (found) return 'done'
      if (isWhole) return 'not-done'
      // It may be there, and is looked for again.
      throw new FailureError(notWhole)
    })
    // Where the list cannot be read, the last reading says why.
    if (result === 'unknown' && !(await read(account)).isWhole) throw new FailureError(notWhole)
    return found ?? null
  }

  const changes = createEmitter<EventPayload<'apiTokens.changed'>>()
  const poller = createLookPoller<AccountId>({
    clock,
    online,
    interval: lookInterval,
    async read(account) {
      // Who is not signed in is asked by the window, not by a clock.
      if (!isSignedIn(account)) return
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
        return { kind: 'done', token: view(account, remember(account, updated)) }
      } catch (error) {
        if (changedNothing(error)) throw error
        return { kind: 'unknown', failure: failureOf(error, 'apiTokens.update') }
      }
    },
    'apiTokens.lookUpUpdate': ({ account, token, change: { name, description } }) =>
      find(
        account,
        (one) =>
          one.id === token &&
          one.name === name &&
          (description === undefined || (one.description ?? '') === description),
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
        const whole = remember(account, { ...created, last_used: created.last_used ?? 0 })
        return { kind: 'created', token: view(account, whole) }
      } catch (error) {
        if (changedNothing(error)) throw error
        return { kind: 'unknown', failure: failureOf(error, 'apiTokens.create') }
      }
    },
    'apiTokens.lookUp': ({ account, name, before }) =>
      find(account, (token) => token.name === name && !before.includes(token.id)),
    'apiTokens.delete': async ({ account, token, name }) => {
      const service = accounts.service(account)
      const known = of(account).get(token)
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
      of(account).delete(token)
      return { kind: 'done' }
    },
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
      unsubscribe()
    },
  })
}
export type ApiTokens = ReturnType<typeof createApiTokens>
