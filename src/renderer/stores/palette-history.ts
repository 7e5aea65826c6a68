import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { useApp } from './app'

const mostKept = 20

/** Ids of the commands that were run in the palette, the last one first, over restarts too. */
export const usePaletteHistory = defineStore('palette-history', () => {
  const app = useApp()
  /** Where the disk refuses to keep them, they last until the window is closed. */
  const unkept = shallowRef<readonly string[] | null>(null)
  const recent = computed(() => unkept.value ?? app.settings.recentCommands ?? [])
  async function used(id: string): Promise<void> {
    const recentCommands = [id, ...recent.value.filter((other) => other !== id)].slice(0, mostKept)
    unkept.value = recentCommands
    try {
      await app.change({ recentCommands })
      unkept.value = null
    } catch {
      // They are kept here.
    }
  }
  return { recent, used }
})
