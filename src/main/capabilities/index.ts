import { z } from 'zod'
import type { AccountId, AccountsView } from '#shared/bridge/account'
import {
  type Capabilities,
  type capabilityCalls,
  type capabilityEvents,
  type CapabilityName,
  type CapabilityState,
} from '#shared/bridge/capability'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { failureOf } from '../core/failure-of'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { ReportError } from '../core/report-error'
import { lacksEndpoint, mayLackEndpoint } from '../service/lacks-endpoint'
import type { Service } from '../service/index'
import type { SettingsStore } from '../store/settings'

export interface CapabilitiesDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange' | 'service'>
  readonly settings: Pick<SettingsStore, 'section'>
  readonly clock: Clock
  readonly report: ReportError
}

/** What was found out, and when (epoch seconds). */
const Finding = z.object({ offered: z.boolean(), at: z.number() })
type Finding = z.infer<typeof Finding>

/** By account, then by capability. */
const Findings = z.record(z.string(), z.record(z.string(), Finding))

/** Seconds that a finding holds: what is offered may be counted on for a day, what is not is tried again after an hour. */
const lifetime = ({ offered }: Finding): number => (offered ? 86_400 : 3_600)

/** What a finding says at `now` (epoch seconds). Pure. One from the future, of a clock that went back, says nothing. */
function stateAt(finding: Finding | undefined, now: number): CapabilityState {
  if (!finding || finding.at > now || now >= finding.at + lifetime(finding)) return 'unknown'
  return finding.offered ? 'yes' : 'no'
}

/** What goes beyond the specification, per account: what of it is offered, as far as it was found out. */
export function createCapabilities({ accounts, settings, clock, report }: CapabilitiesDeps) {
  const { now, after } = clock
  const findings = settings.section('capabilities', Findings)
  const changes = createEmitter<EventPayload<'capabilities.changed'>>()
  const probed = new Set<AccountId>()
  /** What an account may not use though the service offers it; nothing of it outlives the session. */
  const forbidden = new Map<AccountId, ReadonlySet<CapabilityName>>()
  let cancel = (): void => undefined

  const capability = (account: AccountId, name: CapabilityName): CapabilityState =>
    forbidden.get(account)?.has(name) ? 'forbidden' : stateAt(findings.read()[account]?.[name], now())

  const read = (account: AccountId): Capabilities => ({
    regions: capability(account, 'regions'),
    'volume-types': capability(account, 'volume-types'),
    'volume-list': capability(account, 'volume-list'),
    power: capability(account, 'power'),
    'delete-machine': capability(account, 'delete-machine'),
    'delete-volume': capability(account, 'delete-volume'),
    balance: capability(account, 'balance'),
    'create-token': capability(account, 'create-token'),
    'delete-token': capability(account, 'delete-token'),
  })

  const emit = (account: AccountId): void => changes.emit({ account, capabilities: read(account) })

  /** Emits a change when the next finding is too old. */
  function awaitExpiry(): void {
    cancel()
    const ends = Object.values(findings.read())
      .flatMap((known) => Object.values(known))
      .map((finding) => finding.at + lifetime(finding))
      .filter((end) => end > now())
    if (ends.length === 0) return
    cancel = after(Math.min(...ends) - now() + 1, () => {
      accounts.view().accounts.forEach(({ id }) => emit(id))
      awaitExpiry()
    })
  }

  function isForbidden(account: AccountId, name: CapabilityName): void {
    if (capability(account, name) === 'forbidden') return
    forbidden.set(account, new Set([...(forbidden.get(account) ?? []), name]))
    emit(account)
  }

  const isSignedIn = (account: AccountId): boolean =>
    accounts.view().accounts.some(({ id, state }) => id === account && state === 'signed-in')

  function found(account: AccountId, name: CapabilityName, offered: boolean): void {
    // What was under way when the account was forgotten brings nothing of it back.
    if (!isSignedIn(account)) return
    const before = capability(account, name)
    forbidden.set(account, new Set([...(forbidden.get(account) ?? [])].filter((one) => one !== name)))
    findings
      .change((all) => ({ ...all, [account]: { ...all[account], [name]: { offered, at: now() } } }))
      .catch((error: unknown) => report('capabilities.remember', error))
    if (before !== capability(account, name)) emit(account)
    awaitExpiry()
  }

  /**
   * Does what needs a capability, and remembers what that showed. `verifyExists` reads the thing that is acted on: an
   * answer that says "not found", whatever its form, means that the endpoint is absent only where the thing itself is
   * still there; the reads of the client settle that by themselves. Fails as `act` does, and with
   * not-offered-by-service, which a capability known to be absent fails with at once.
   */
  async function using<Value>(
    account: AccountId,
    name: CapabilityName,
    act: () => Promise<Value>,
    verifyExists?: () => Promise<unknown>,
  ): Promise<Value> {
    const absent = new FailureError({ kind: 'not-offered-by-service', what: name })
    const before = capability(account, name)
    if (before === 'no') throw absent
    try {
      const value = await act()
      found(account, name, true)
      return value
    } catch (error) {
      const failure = failureOf(error, `capabilities.${name}`)
      // What is refused of one thing may be allowed of another.
      if (failure.kind === 'forbidden' && !verifyExists) isForbidden(account, name)
      if (failure.kind === 'not-offered-by-service') found(account, name, false)
      // What has worked lacks no endpoint for its words: it is something else that was not found.
      const isOfWords = failure.kind === 'refused-by-service' && !lacksEndpoint(failure.status)
      if (!verifyExists || !mayLackEndpoint(failure) || (before === 'yes' && isOfWords)) throw error
      if (!(await succeeds(verifyExists))) throw error
      found(account, name, false)
      throw absent
    }
  }

  /** Harmless reads that show what is offered, of what is not known yet. Never fails: what does not succeed shows nothing. */
  async function probe(account: AccountId): Promise<void> {
    const service = accounts.service(account)
    const reads = [
      ['regions', () => service.regions.list()],
      ['volume-types', async () => service.volumeTypes.list(await someRegion(service))],
      ['volume-list', () => service.volumes.list({ limit: 1 })],
      ['balance', () => service.billing.balance()],
    ] as const
    const open = reads.filter(([name]) => capability(account, name) === 'unknown')
    await Promise.allSettled(open.map(([name, act]) => using<unknown>(account, name, act)))
  }

  function follow(view: AccountsView): void {
    for (const { id, state } of view.accounts) {
      if (state !== 'signed-in') {
        probed.delete(id)
        forbidden.delete(id)
      } else if (!probed.has(id)) {
        probed.add(id)
        void probe(id)
      }
    }
  }

  follow(accounts.view())
  const unsubscribe = accounts.onChange(follow)
  awaitExpiry()

  const handlers: HandlersOf<typeof capabilityCalls> = {
    'capabilities.read': ({ account }) => read(account),
  }

  const events: EventsOf<typeof capabilityEvents> = { 'capabilities.changed': changes.on }

  return defineModule({
    handlers,
    events,
    capability,
    using,
    /** A harmless read that needs it has succeeded. */
    shown: (account: AccountId, name: CapabilityName): void => {
      if (capability(account, name) !== 'yes') found(account, name, true)
    },
    probe,
    onChange: changes.on,
    async forgetAccount(account: AccountId): Promise<void> {
      probed.delete(account)
      forbidden.delete(account)
      await findings.change((all) => Object.fromEntries(Object.entries(all).filter(([id]) => id !== account)))
    },
    close(): void {
      unsubscribe()
      cancel()
    },
  })
}
export type CapabilitiesOfAccounts = ReturnType<typeof createCapabilities>

/** A region's id, as the catalog names it: the list of volume types asks for one. */
async function someRegion({ flavors }: Service): Promise<string | undefined> {
  const [group] = await flavors.list()
  return group?.region_id ?? group?.products[0]?.region_id ?? undefined
}

/** Whether a thing can still be read. */
async function succeeds(verifyExists: () => Promise<unknown>): Promise<boolean> {
  try {
    await verifyExists()
    return true
  } catch {
    return false
  }
}
