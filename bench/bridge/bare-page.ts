// The yardstick's page: the same list in a map, filled by one call and updated by sent changes.
import type { MachineView } from '../../src/shared/bridge/fleet'

declare global {
  interface Window {
    readonly bare: {
      call(name: string): Promise<readonly MachineView[]>
      on(name: string, listener: (payload: readonly MachineView[]) => void): void
    }
  }
}

let items = new Map<string, MachineView>()
let received = (): void => undefined
window.bare.on('changed', (upserts) => {
  for (const item of upserts) items.set(item.id, item)
  received()
})

Object.assign(window, {
  snapshot: async () => {
    items = new Map((await window.bare.call('list')).map((item) => [item.id, item]))
    return items.size
  },
  /** Resolves with the next change. */
  nextChange: () => new Promise<void>((resolve) => (received = resolve)),
  statusOf: (id: string) => items.get(id)?.status,
})
