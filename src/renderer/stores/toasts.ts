import { defineStore } from 'pinia'
import { shallowRef, type VNodeChild } from 'vue'

/** Short words at the edge of the window. */
export interface Toast {
  readonly kind: 'error' | 'success' | 'warning'
  readonly content: string | (() => VNodeChild)
  readonly durationMs?: number
  readonly closable?: boolean
}

/** Those that wait to be shown: what shows them comes after the first paint (ToastArea.vue). */
export const useToasts = defineStore('toasts', () => {
  const waiting = shallowRef<readonly Toast[]>([])
  return {
    waiting,
    show: (toast: Toast): void => void (waiting.value = [...waiting.value, toast]),
    /** All that wait. They are the caller's to show. */
    take(): readonly Toast[] {
      const taken = waiting.value
      waiting.value = []
      return taken
    },
  }
})
