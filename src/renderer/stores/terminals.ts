import { defineStore } from 'pinia'
import { computed, shallowReactive, shallowRef } from 'vue'
import type { TerminalSession } from '#shared/bridge/terminal'
import { bridge } from '../platform/bridge'
import { splitOff, tabsOf } from './terminal-tabs'

export const useTerminals = defineStore('terminals', () => {
  const sessions = shallowRef<readonly TerminalSession[]>([])
  /** The pane on screen with the focus, or the last that had it. */
  const shown = shallowRef<string | null>(null)
  const lastPanes = new Map<string, string>()
  /** Share of the first side of each divider moved in this window, 0 to 1, by the pane that was split off. */
  const shares = shallowReactive(new Map<string, number>())
  const current = computed(
    () => sessions.value.find(({ id }) => id === shown.value) ?? sessions.value.at(-1) ?? null,
  )
  const tabs = computed(() => tabsOf(sessions.value))
  const tabWith = (id: string | undefined) =>
    tabs.value.find(({ panes }) => panes.some((pane) => pane.id === id)) ?? null
  const tab = computed(() => tabWith(current.value?.id))

  /** Moves the value of a closed pane to the pane that replaces it: the last one split off (main/terminals/panes.ts). */
  function inherit<Value>(from: Map<string, Value>, closed: string): void {
    const heir = splitOff(sessions.value, closed).at(-1)
    const value = from.get(closed)
    from.delete(closed)
    if (heir && value !== undefined) from.set(heir.id, value)
    else if (heir) from.delete(heir.id)
  }
  function replace(next: readonly TerminalSession[]): void {
    const before = shown.value ?? ''
    const index = sessions.value.findIndex(({ id }) => id === before)
    const beside = tabWith(before)?.panes ?? []
    const stays = (id: string) => next.some((session) => session.id === id)
    // If the pane on screen is closed, another pane of its tab follows, or the next tab.
    if (index !== -1 && !stays(before))
      shown.value =
        beside.find(({ id }) => stays(id))?.id ?? next[Math.min(index, next.length - 1)]?.id ?? null
    for (const { id } of sessions.value) {
      if (stays(id)) continue
      inherit(lastPanes, id)
      inherit(shares, id)
    }
    sessions.value = next
  }

  // If the call fails, the next change brings the list.
  function start(): void {
    bridge.on('terminal.changed', replace)
    bridge.call('terminal.sessions', {}).then(replace, () => undefined)
  }
  const close = async (session: string): Promise<void> =>
    replace(await bridge.call('terminal.close', { session }))
  const reconnect = async (session: string): Promise<void> =>
    replace(await bridge.call('terminal.reconnect', { session }))
  const rename = async (session: string, title: string | null): Promise<void> =>
    replace(await bridge.call('terminal.rename', { session, title }))
  /** Keeps the position of a divider for later windows and runs. If that fails, it holds in this window. */
  async function saveShare(session: string): Promise<void> {
    const share = shares.get(session)
    if (share === undefined) return
    await bridge.call('terminal.moveDivider', { session, share }).then(replace, () => undefined)
  }
  const isOpen = (session: string): boolean => sessions.value.some(({ id }) => id === session)
  /** Returns to the previous pane if a session was closed before it could be shown. */
  async function giveUp(session: string, before: string | null): Promise<void> {
    const all = await bridge.call('terminal.sessions', {}).catch(() => [])
    const exists = isOpen(session) || all.some(({ id }) => id === session)
    if (shown.value === session && !exists) shown.value = before !== null && isOpen(before) ? before : null
  }
  function show(session: string): void {
    if (tab.value && current.value) lastPanes.set(tab.value.id, current.value.id)
    const before = current.value?.id ?? null
    shown.value = session
    if (!isOpen(session)) void giveUp(session, before)
  }
  /** Shows the pane that received the focus, unless a requested session is still opening. */
  function use(session: string): void {
    if (shown.value === null || shown.value === current.value?.id) show(session)
  }
  function showTab(id: string): void {
    const last = lastPanes.get(id)
    show(last !== undefined && tabWith(last)?.id === id ? last : id)
  }
  function step(by: 1 | -1): void {
    const all = tabs.value.flatMap(({ panes }) => panes)
    const index = all.findIndex(({ id }) => id === current.value?.id)
    const next = all[(index + by + all.length) % all.length]
    if (next) show(next.id)
  }

  return {
    sessions,
    shares,
    tabs,
    current,
    tab,
    start,
    show,
    use,
    showTab,
    step,
    close,
    reconnect,
    rename,
    saveShare,
  }
})
