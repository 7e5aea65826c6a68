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

/** Result of an attempt to use a capability, with its time (epoch seconds). */
const Finding = z.object({ offered: z.boolean(), at: z.number() })
type Finding = z.infer<typeof Finding>

/** By account, then by capability. */
const Findings = z.record(z.string(), z.record(z.string(), Finding))

/** Returns how many seconds a finding holds: a day if the capability is offered, otherwise an hour. */
const lifetimeSeconds = ({ offered }: Finding): number => (offered ? 86_400 : 3_600)

/** Returns the state at `now` (epoch seconds). A finding from the future was made before the clock was set back. Pure. */
function stateAt(finding: Finding | undefined, now: number): CapabilityState {
  if (!finding || finding.at > now || now >= finding.at + lifetimeSeconds(finding)) return 'unknown'
  return finding.offered ? 'yes' : 'no'
}

/** Returns the id of any region, which the list of volume types requires. */
async function anyRegion({ flavors }: Service): Promise<string | undefined> {
  const [group] = await flavors.list()
  return group?.region_id ?? group?.products[0]?.region_id ?? undefined
}

const capabilitiesBy = (stateOf: (name: CapabilityName) => CapabilityState): Capabilities => ({
  regions: stateOf('regions'),
  'volume-types': stateOf('volume-types'),
  'volume-list': stateOf('volume-list'),
  power: stateOf('power'),
  'delete-machine': stateOf('delete-machine'),
  'delete-volume': stateOf('delete-volume'),
  balance: stateOf('balance'),
  'create-token': stateOf('create-token'),
  'delete-token': stateOf('delete-token'),
})

const probes = (service: Service): readonly (readonly [CapabilityName, () => Promise<unknown>])[] => [
  ['regions', () => service.regions.list()],
  ['volume-types', async () => service.volumeTypes.list(await anyRegion(service))],
  ['volume-list', () => service.volumes.list({ limit: 1 })],
  ['balance', () => service.billing.balance()],
]

/** Finds out and stores which capabilities beyond the specification each account has. */
export function createCapabilities({ accounts, settings, clock, report }: CapabilitiesDeps) {
  const { now, after } = clock
  const findings = settings.section('capabilities', Findings)
  const changes = createEmitter<EventPayload<'capabilities.changed'>>()
  const probed = new Set<AccountId>()
  /** Capabilities that the service offers but the account may not use; valid for the session. */
  const forbidden = new Map<AccountId, ReadonlySet<CapabilityName>>()
  let cancel = (): void => undefined

  const capability = (account: AccountId, name: CapabilityName): CapabilityState =>
    forbidden.get(account)?.has(name) ? 'forbidden' : stateAt(findings.read()[account]?.[name], now())

  const read = (account: AccountId): Capabilities => capabilitiesBy((name) => capability(account, name))

  const emit = (account: AccountId): void => changes.emit({ account, capabilities: read(account) })

  /** Emits a change when the next finding expires. */
  function awaitExpiry(): void {
    cancel()
    const ends = Object.values(findings.read())
      .flatMap((known) => Object.values(known))
      .map((finding) => finding.at + lifetimeSeconds(finding))
      .filter((end) => end > now())
    if (ends.length === 0) return
    cancel = after(Math.min(...ends) - now() + 1, () => {
      accounts.view().accounts.forEach(({ id }) => emit(id))
      awaitExpiry()
    })
  }

  function forbid(account: AccountId, name: CapabilityName): void {
    if (capability(account, name) === 'forbidden') return
    forbidden.set(account, new Set([...(forbidden.get(account) ?? []), name]))
    emit(account)
  }

  const isSignedIn = (account: AccountId): boolean =>
    accounts.view().accounts.some(({ id, state }) => id === account && state === 'signed-in')

  function record(account: AccountId, name: CapabilityName, offered: boolean): void {
    // A late answer must not restore data of a forgotten account.
    if (!isSignedIn(account)) return
    const before = capability(account, name)
    forbidden.set(account, new Set([...(forbidden.get(account) ?? [])].filter((other) => other !== name)))
    findings
      .change((all) => ({ ...all, [account]: { ...all[account], [name]: { offered, at: now() } } }))
      .catch((error: unknown) => report('capabilities.remember', error))
    if (before !== capability(account, name)) emit(account)
    awaitExpiry()
  }

  /**
   * Runs `act`, which needs a capability, and records the result. `verifyExists` reads the resource of the action: a "not
   * found" answer means that the endpoint is missing only if the resource still exists. Fails as `act` does, and with
   * not-offered-by-service, at once if the capability is known to be missing.
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
      record(account, name, true)
      return value
    } catch (error) {
      const failure = failureOf(error, `capabilities.${name}`)
      // The refusal of one resource does not concern other resources.
      if (failure.kind === 'forbidden' && !verifyExists) forbid(account, name)
      if (failure.kind === 'not-offered-by-service') record(account, name, false)
      // If the endpoint has worked, a message such as "not found" is about something else.
      const isByMessage = failure.kind === 'refused-by-service' && !lacksEndpoint(failure.status)
      if (!verifyExists || !mayLackEndpoint(failure) || (before === 'yes' && isByMessage)) throw error
      const exists = await verifyExists().then(
        () => true,
        () => false,
      )
      if (!exists) throw error
      record(account, name, false)
      throw absent
    }
  }

  /** Tests unknown capabilities with harmless reads. Never fails: a failed read proves nothing. */
  async function probe(account: AccountId): Promise<void> {
    const unknown = probes(accounts.service(account)).filter(
      ([name]) => capability(account, name) === 'unknown',
    )
    await Promise.allSettled(unknown.map(([name, act]) => using(account, name, act)))
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
    /** Records the success of a read that needs the capability. */
    shown: (account: AccountId, name: CapabilityName): void => {
      if (capability(account, name) !== 'yes') record(account, name, true)
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
