import { type Ref, type ShallowRef, shallowRef, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { machineState } from '#shared/service/machine-state'
import type { Sorting } from '../../components/rows'
import { useLoads } from '../../stores/loads'
import type { MachineColumn } from './machine-rows'

/** Machines whose load is read where a list is sorted by it, and how many at once. */
const most = 200
const atOnce = 4

/**
 * The load of machines in percent, of their GPUs where these are read, as of when the list was sorted by it: the order
 * stands still until the person sorts again.
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
    let current = true
    onCleanup(() => (current = false))
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
    // What was read in view an hour ago says nothing of now; the main process answers fresh values from its cache.
    const due = running.slice(0, most)
    for (let at = 0; at < due.length && current; at += atOnce)
      await Promise.all(due.slice(at, at + atOnce).map(({ id: machine }) => loads.read(id, machine)))
    if (current) order.value = known()
  })
  return order
}
