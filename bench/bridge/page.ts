// Ours: the window's end of the bridge, and its store's mirror of the list.
import type { FleetStatus, MachineView } from '../../src/shared/bridge/fleet'
import { bridge } from '../../src/renderer/platform/bridge'
import { applyChange, catchUp, type ListState } from '../../src/renderer/stores/list-state'
import { account } from './fleet'

let list: ListState<MachineView, FleetStatus> | undefined
let received = (): void => undefined
bridge.on('fleet.changed', (change) => {
  const step = list && applyChange(list, change)
  if (step?.kind === 'applied') list = step.list
  received()
})

Object.assign(window, {
  snapshot: async () => {
    const { machines, ...revision } = await bridge.call('fleet.snapshot', { account })
    const step = catchUp({ ...revision, items: machines }, [])
    list = step.kind === 'applied' ? step.list : undefined
    return list?.items.size
  },
  /** Resolves with the next change. */
  nextChange: () => new Promise<void>((resolve) => (received = resolve)),
  statusOf: (id: string) => list?.items.get(id)?.status,
})
