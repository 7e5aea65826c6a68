import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { UpdatesView } from '#shared/bridge/updates'
import { bridge } from '../platform/bridge'

export const useUpdates = defineStore('updates', () => {
  const view = shallowRef<UpdatesView | null>(null)

  // If the call fails, the next change brings the state.
  function start(): void {
    bridge.on('updates.changed', (next) => (view.value = next))
    bridge.call('updates.read', {}).then(
      (now) => (view.value = now),
      () => undefined,
    )
  }

  const act = (name: 'check' | 'download' | 'restart' | 'skip') => async (): Promise<void> =>
    void (view.value = await bridge.call(`updates.${name}`, {}))
  const setAutomatic = async (automatic: boolean): Promise<void> =>
    void (view.value = await bridge.call('updates.setAutomatic', { automatic }))

  return {
    view,
    start,
    setAutomatic,
    check: act('check'),
    download: act('download'),
    restart: act('restart'),
    skip: act('skip'),
  }
})
