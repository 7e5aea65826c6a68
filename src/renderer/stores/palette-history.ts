import { defineStore } from 'pinia'
import { shallowRef } from 'vue'

const mostKept = 20

/** Ids of the commands that were run in the palette since the start, the last one first. */
export const usePaletteHistory = defineStore('palette-history', () => {
  const recent = shallowRef<readonly string[]>([])
  function used(id: string): void {
    recent.value = [id, ...recent.value.filter((other) => other !== id)].slice(0, mostKept)
  }
  return { recent, used }
})
