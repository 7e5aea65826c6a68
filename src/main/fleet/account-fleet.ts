import type { AccountId } from '#shared/bridge/account'
import type { FleetChange, FleetSnapshot, FleetStatus, MachineView } from '#shared/bridge/fleet'
import { type Failure, failureOf, FailureError } from '#shared/failure'
import type { Machine } from '#shared/service/machine'
import { machineState } from '#shared/service/machine-state'
import type { Page, PageQuery } from '#shared/service/page'
import { changesBetween } from './changes'
import { machineView } from './machine-view'
import { readAll } from './read-all'

/** What a fleet asks of the service. */
export interface MachineSource {
  list(page: PageQuery): Promise<Page<Machine>>
  get(id: string): Promise<Machine>
}

/** Machines asked for at once. The specification names no maximum. */
const pageSize = 200
/** Machines that are asked for by id in one reading because the list no longer named them. */
const confirmations = 20

const isNotFound = (failure: Failure): boolean =>
  failure.kind === 'refused-by-service' && failure.status === 404

/**
 * The machines of one account as last read, and each change to them with its revision. `now` is epoch seconds.
 * A machine is removed only when the service answers 404 for it; missing from the list is not enough.
 */
export function accountFleet(
  account: AccountId,
  source: MachineSource,
  now: () => number,
  publish: (change: FleetChange) => void,
) {
  let revision = 0
  let machines: ReadonlyMap<string, Machine> = new Map()
  let views: ReadonlyMap<string, MachineView> = new Map()
  let status: FleetStatus = { asOf: null, reading: false, total: null, failure: null }
  let underWay: Promise<void> | undefined

  function become(next: ReadonlyMap<string, Machine>, nextStatus: FleetStatus): void {
    const nextViews = new Map([...next].map(([id, machine]) => [id, machineView(machine)]))
    const { upserts, removes } = changesBetween(views, nextViews)
    machines = next
    views = nextViews
    status = nextStatus
    revision += 1
    publish({ account, revision, upserts: [...upserts], removes: [...removes], status })
  }

  /** The machine if it still exists, undefined once the service says 404, what was known where it cannot be told. */
  async function confirm(known: Machine): Promise<Machine | undefined> {
    try {
      return await source.get(known.id)
    } catch (error) {
      return isNotFound(failureOf(error, 'read-machine')) ? undefined : known
    }
  }

  async function read(): Promise<void> {
    const first = status.asOf === null
    if (first) become(machines, { ...status, reading: true })
    try {
      const reading = await readAll(source.list, pageSize, (soFar) => {
        if (first)
          become(new Map([...machines, ...soFar.items.map((machine) => [machine.id, machine] as const)]), {
            ...status,
            total: soFar.total,
          })
      })
      const next = new Map(reading.items.map((machine) => [machine.id, machine]))
      const missing = [...machines.values()].filter((machine) => !next.has(machine.id))
      for (const [index, machine] of missing.entries()) {
        const found = index < confirmations ? await confirm(machine) : machine
        if (found) next.set(found.id, found)
      }
      become(next, { asOf: now(), reading: false, total: reading.total, failure: null })
    } catch (error) {
      become(machines, { ...status, reading: false, failure: failureOf(error, 'read-machines') })
    }
  }

  return {
    account,
    snapshot: (): FleetSnapshot => ({ account, revision, machines: [...views.values()], status }),
    /** Reads the service; whoever asks while a reading is under way waits for that one. Never fails: see `status`. */
    refresh: (): Promise<void> => {
      underWay ??= read().finally(() => {
        underWay = undefined
      })
      return underWay
    },
    failed: (): boolean => status.failure !== null,
    moving: (): boolean =>
      [...machines.values()].some((machine) => machineState(machine.status) === 'moving'),
    view: (id: string): MachineView | undefined => views.get(id),
    /** With its password: for the main process alone. Fails with invalid-input (machine). */
    machine(id: string): Machine {
      const machine = machines.get(id)
      if (!machine) throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
      return machine
    },
    /** Forgets every machine, because the person signed out. */
    clear: (): void => become(new Map(), { asOf: null, reading: false, total: null, failure: null }),
  }
}
export type AccountFleet = ReturnType<typeof accountFleet>
