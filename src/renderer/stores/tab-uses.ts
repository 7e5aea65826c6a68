import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { useApp } from './app'

/** Count at which all counts are halved, so that new habits outweigh old ones. */
const maxUses = 100

/** How often the user looked at each tab of a panel, across restarts. */
export const useTabUses = defineStore('tab-uses', () => {
  const app = useApp()
  let panels = 0
  /** Counts of the moment when the first open panel was opened: tabs do not change places while one is open. */
  const shown = shallowRef<Readonly<Record<string, number>>>({})

  function panelOpened(): void {
    if (panels === 0) shown.value = app.settings.tabUses ?? {}
    panels += 1
  }
  const panelClosed = () => (panels -= 1)

  async function count(id: string): Promise<void> {
    const { tabUses = {} } = app.settings
    const uses = { ...tabUses, [id]: (tabUses[id] ?? 0) + 1 }
    const isFull = Object.values(uses).some((value) => value >= maxUses)
    const halved = Object.entries(uses).map(([tab, value]) => [tab, Math.floor(value / 2)] as const)
    // If storing fails, the count lasts until the application quits.
    await app.change({ tabUses: isFull ? Object.fromEntries(halved) : uses }).catch(() => undefined)
  }
  return { shown, panelOpened, panelClosed, count }
})
