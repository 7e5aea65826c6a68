import { type Ref, type ShallowRef, shallowRef, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { machineState } from '#shared/service/machine-state'
import type { Sorting } from '../../components/rows'
import { useLoads } from '../../stores/loads'
import type { MachineColumn } from './machine-rows'

/** Upper bound on machines whose load is read to sort a list. */
const maxMachines = 200
const maxParallel = 4

/**
 * Returns the load of machines in percent (of the GPUs if they are read) at the time when the user sorted the list by
 * load, so that rows do not move until the user sorts again.
 */
export function useLoadOrder(
  account: Readonly<Ref<AccountId | null>>,
  machines: () => readonly MachineView[],
  sorting: Readonly<Ref<Sorting<MachineColumn>>>,
): Readonly<ShallowRef<ReadonlyMap<string, number>>> {
  const loads = useLoads()
  const order = shallowRef<ReadonlyMap<string, number>>(new Map())

  watch([account, sorting], async ([id, { key }], _before, onCleanup) => {
    if (id === null || key !== 'load') return
    let isCurrent = true
    onCleanup(() => (isCurrent = false))
    const running = machines().filter(({ status }) => machineState(status) === 'running')
    const known = () =>
      new Map(
        running.flatMap(({ id: machine }) => {
          const load = loads.of(id, machine)
          const percent = load?.gpu?.last ?? load?.cpu?.now ?? null
          return percent === null ? [] : [[machine, percent] as const]
        }),
      )
    order.value = known()
    // Known loads may be outdated. The main process answers from its cache if the values are fresh.
    const due = running.slice(0, maxMachines)
    for (let at = 0; at < due.length && isCurrent; at += maxParallel)
      await Promise.all(due.slice(at, at + maxParallel).map(({ id: machine }) => loads.read(id, machine)))
    if (isCurrent) order.value = known()
  })
  return order
}
