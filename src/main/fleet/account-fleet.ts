import type { AccountId } from '#shared/bridge/account'
import type { FleetChange, FleetSnapshot, FleetStatus, MachineView } from '#shared/bridge/fleet'
import { type Failure, FailureError } from '#shared/failure'
import type { Machine } from '#shared/service/machine'
import { machineState } from '#shared/service/machine-state'
import type { Page, PageQuery } from '#shared/service/page'
import { pageSizes } from '#shared/page-sizes'
import { failureOf } from '../core/failure-of'
import type { Clock } from '../core/clock'
import { listRevisions } from '../core/list-revisions'
import { sessionReadings } from '../core/single-flight'
import { createAbsences } from '../core/absences'
import { createResumingReader, readAll } from '../core/read-all-pages'
import { unreadableView } from '../core/unreadable'
import { createLastPages, type LastPages } from '../service/last-pages'
import { machineView } from './machine-view'
import { presentMachines } from './missing-machines'

export interface MachineSource {
  /** Lists machines. Reuses the pages in `last` that have not changed. */
  list(page: PageQuery, last?: LastPages<Machine>): Promise<Page<Machine>>
  get(id: string): Promise<Machine>
  /** Whether the service confirmed the deletion of the machine. */
  wasDeleted?(id: string): boolean
}

const nothingRead: FleetStatus = { asOf: null, reading: false, total: null, failure: null }

/**
 * Manages the machines of one account as last read. A machine is removed and passed to `onGone` only when it is gone
 * (`presentMachines`); missing from one list is not enough. `now`: epoch seconds.
 */
export function accountFleet(
  account: AccountId,
  source: MachineSource,
  now: Clock['now'],
  publish: (change: FleetChange) => void,
  onGone: (machines: readonly MachineView[]) => void = () => undefined,
) {
  const list = listRevisions<MachineView, FleetStatus>(account, nothingRead, publish)
  const absences = createAbsences()
  const reader = createResumingReader<Machine>(now)
  let lastPages = createLastPages<Machine>()
  let machines: ReadonlyMap<string, Machine> = new Map()
  /** View of each machine object: an unchanged object needs no comparison. */
  const views = new WeakMap<Machine, MachineView>()
  function viewOf(machine: Machine): MachineView {
    const view = views.get(machine) ?? machineView(machine)
    views.set(machine, view)
    return view
  }

  const viewsNow = (): ReadonlyMap<string, MachineView> =>
    new Map([...machines].map(([id, machine]) => [id, viewOf(machine)]))

  function replace(next: ReadonlyMap<string, Machine>, status: FleetStatus): void {
    machines = next
    list.replace(viewsNow(), status)
  }

  async function read(isCurrent: () => boolean): Promise<void> {
    const isFirst = list.status().asOf === null
    if (isFirst) replace(machines, { ...list.status(), reading: true })
    // Signing out replaces `lastPages`, so that a running reading leaves nothing behind.
    const pages = lastPages
    function readPage(page: PageQuery): Promise<Page<Machine>> {
      if (page.offset === 0) pages.begin()
      return source.list(page, pages)
    }
    try {
      const reading = await reader.read(readPage, pageSizes.resources, (soFar) => {
        if (isFirst && isCurrent())
          replace(new Map([...machines, ...soFar.items.map((machine) => [machine.id, machine] as const)]), {
            ...list.status(),
            total: soFar.total,
          })
      })
      const next = await presentMachines(machines, reading, {
        get: source.get,
        readAgain: () => readAll(readPage, pageSizes.resources),
        wasDeleted: (id) => source.wasDeleted?.(id) ?? false,
        absences,
      })
      if (!isCurrent()) return
      pages.dropUnrequested()
      const gone = [...machines.values()].filter(({ id }) => !next.has(id)).map(machineView)
      const unreadable = unreadableView(reading.unreadable)
      const { overdueAt } = list.status()
      replace(next, {
        asOf: now(),
        reading: false,
        total: reading.total,
        failure: null,
        ...(unreadable && { unreadable }),
        ...(overdueAt !== undefined && { overdueAt }),
      })
      if (gone.length > 0) onGone(gone)
    } catch (error) {
      if (!isCurrent()) return
      replace(machines, { ...list.status(), reading: false, failure: failureOf(error, 'fleet.read') })
    }
  }

  const { refresh, end } = sessionReadings(read)

  return {
    account,
    snapshot: (): FleetSnapshot => ({ ...list.revision(), machines: list.views() }),
    /** Reads the service; callers share a running reading. Never fails: see `status`. */
    refresh,
    failure: (): Failure | null => list.status().failure,
    moving: (): boolean =>
      [...machines.values()].some((machine) => machineState(machine.status) === 'moving'),
    /** Stores the time from which the next answer is overdue, in epoch seconds; undefined: none is expected. */
    expect(overdueAt: number | undefined): void {
      const { overdueAt: before, ...status } = list.status()
      if (overdueAt !== before)
        list.replace(viewsNow(), { ...status, ...(overdueAt !== undefined && { overdueAt }) })
    },
    view: list.view,
    /** Shows an expected status before the next reading confirms it. */
    showStatus(id: string, status: string): void {
      const machine = machines.get(id)
      if (machine) replace(new Map([...machines, [id, { ...machine, status }]]), list.status())
    },
    /** Returns a machine with its password, for the main process only. Fails with invalid-input (machine). */
    machine(id: string): Machine {
      const machine = machines.get(id)
      if (!machine) throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
      return machine
    },
    clear(): void {
      end()
      reader.forget()
      lastPages = createLastPages()
      replace(new Map(), nothingRead)
    },
  }
}
export type AccountFleet = ReturnType<typeof accountFleet>
