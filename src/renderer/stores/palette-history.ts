import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { useApp } from './app'

const maxRecentCommands = 20

/** Ids of the commands that the user ran in the palette, newest first, across restarts. */
export const usePaletteHistory = defineStore('palette-history', () => {
  const app = useApp()
  /** Commands that are not stored. If storing fails, they last until the window closes. */
  const unsaved = shallowRef<readonly string[] | null>(null)
  const recent = computed(() => unsaved.value ?? app.settings.recentCommands ?? [])
  async function used(id: string): Promise<void> {
    const earlier = recent.value.filter((command) => command !== id)
    const recentCommands = [id, ...earlier].slice(0, maxRecentCommands)
    unsaved.value = recentCommands
    await app.change({ recentCommands }).then(
      () => (unsaved.value = null),
      () => undefined,
    )
  }
  return { recent, used }
})
