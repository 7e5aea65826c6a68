import type { AccountId } from '#shared/bridge/account'
import type {
  bareMetalCalls,
  BareMetalChange,
  bareMetalEvents,
  BareMetalSnapshot,
  BareMetalView,
} from '#shared/bridge/bare-metal'
import type { HandlersOf } from '#shared/bridge/index'
import type { MachineSecretRef } from '#shared/bridge/secret'
import { FailureError } from '#shared/failure'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import { createPoller } from '../core/poller'
import type { Sections } from '../store/settings'
import { type AccountBareMetal, accountBareMetal } from './account-bare-metal'
import { openBareMetalMemory } from './memory'

export interface BareMetalDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange' | 'service'>
  readonly documents: Sections
  readonly clock: Clock
  online(): boolean
}

/** Pause between readings: each instance is a separate request and rarely changes. */
const pollInterval = { focused: 30, background: 300 }

export function createBareMetal(deps: BareMetalDeps) {
  const { accounts, documents, clock } = deps
  const memory = openBareMetalMemory(documents)
  const changes = createEmitter<BareMetalChange>()
  const poller = createPoller<AccountBareMetal>({
    ...deps,
    pollInterval,
    open: (account) =>
      accountBareMetal(
        account,
        (id) => accounts.service(account).bareMetal.get(id),
        memory,
        clock.now,
        changes.emit,
      ),
  })

  memory.onLoad(() => accounts.view().accounts.forEach(({ id }) => poller.find(id)?.showRemembered()))

  const snapshot = (account: AccountId): BareMetalSnapshot => poller.get(account).snapshot()

  const handlers: HandlersOf<typeof bareMetalCalls> = {
    'bareMetal.snapshot': ({ account }) => snapshot(account),
    'bareMetal.refresh': ({ account }) => poller.read(account),
    'bareMetal.add': ({ account, instance }) => poller.get(account).add(instance),
    'bareMetal.forget': ({ account, instance }) => poller.get(account).forget(instance),
  }
  const events: EventsOf<typeof bareMetalEvents> = { 'bareMetal.changed': changes.on }

  return defineModule({
    handlers,
    events,
    onChange: changes.on,
    /** Fails with invalid-input (account). */
    snapshot,
    /** Reads now. Fails with invalid-input (account). */
    refresh: poller.read,
    view: (account: AccountId, instance: string): BareMetalView | undefined =>
      poller.find(account)?.view(instance),
    views: (account: AccountId): readonly BareMetalView[] => poller.find(account)?.snapshot().instances ?? [],
    /** Looks for bare metal among ids in the usage. Returns null if no id is due or requests are held. Never fails. */
    find(account: AccountId, ids: readonly string[]): Promise<void> | null {
      const known = accounts.view().accounts.find(({ id }) => id === account)
      if (known?.state !== 'signed-in' || known.heldUntil !== null || !deps.online()) return null
      return poller.find(account)?.find(ids) ?? null
    },
    /** Adds an instance that was created here and starts a reading. Fails with invalid-input (account), local-fault. */
    async created(
      account: AccountId,
      instance: { readonly id: string; readonly name: string },
    ): Promise<void> {
      await poller.get(account).created(instance)
      void poller.read(account)
    },
    /** Returns the plain text of one secret. Fails with invalid-input (account, secret). */
    secret(account: AccountId, ref: MachineSecretRef): string {
      const instances = poller.get(account)
      const value =
        ref.kind === 'machine-field'
          ? instances.field(ref.machine, ref.path)
          : instances.password(ref.machine)
      if (!value) throw new FailureError({ kind: 'invalid-input', field: 'secret', reason: 'unknown' })
      return value
    },
    forgetAccount: memory.forgetAccount,
    windowChanged: poller.windowChanged,
    wakeChanged: poller.wakeChanged,
    close: poller.close,
  })
}
export type BareMetal = ReturnType<typeof createBareMetal>
