import { defineStore } from 'pinia'
import { shallowRef, type VNodeChild } from 'vue'

export interface Toast {
  readonly kind: 'error' | 'success' | 'warning'
  readonly content: string | (() => VNodeChild)
  readonly durationMs?: number
  readonly closable?: boolean
}

/** Toasts that wait for ToastArea.vue, which is loaded after the first paint. */
export const useToasts = defineStore('toasts', () => {
  const waiting = shallowRef<readonly Toast[]>([])
  return {
    waiting,
    show: (toast: Toast): void => void (waiting.value = [...waiting.value, toast]),
    take(): readonly Toast[] {
      const toasts = waiting.value
      waiting.value = []
      return toasts
    },
  }
})
