import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { TerminalSession } from '#shared/bridge/terminal'
import { bridge } from '../platform/bridge'

/** The terminals inside the application. */
export const useTerminals = defineStore('terminals', () => {
  const sessions = shallowRef<readonly TerminalSession[]>([])
  /** The one on screen, or the last that was. */
  const shown = shallowRef<string | null>(null)
  const current = computed(
    () => sessions.value.find(({ id }) => id === shown.value) ?? sessions.value.at(-1) ?? null,
  )

  function replace(next: readonly TerminalSession[]): void {
    // Where the one on screen is closed, the one beside it follows.
    const index = sessions.value.findIndex(({ id }) => id === shown.value)
    if (index !== -1 && !next.some(({ id }) => id === shown.value))
      shown.value = next[Math.min(index, next.length - 1)]?.id ?? null
    sessions.value = next
  }

  /** Listens first, then reads; where that fails, the next change says how it is. */
  function start(): void {
    bridge.on('terminal.changed', replace)
    bridge.call('terminal.sessions', {}).then(replace, () => undefined)
  }
  const close = async (session: string): Promise<void> =>
    replace(await bridge.call('terminal.close', { session }))
  const reconnect = async (session: string): Promise<void> =>
    replace(await bridge.call('terminal.reconnect', { session }))
  const show = (session: string): void => void (shown.value = session)
  /** Shows the one after it, or before it; round from the last to the first. */
  function step(by: 1 | -1): void {
    const { length } = sessions.value
    const at = sessions.value.findIndex(({ id }) => id === current.value?.id)
    const next = sessions.value[(at + by + length) % length]
    if (next) show(next.id)
  }

  return { sessions, current, start, show, step, close, reconnect }
})
