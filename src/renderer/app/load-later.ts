import { laterMessages } from '../platform/i18n'

/** Loads code that the user's first clicks may need, one module at a time so that main can serve other requests. */
export async function loadLater(): Promise<void> {
  const loads: readonly (() => Promise<unknown>)[] = [
    laterMessages,
    () => import('./shell/CommandPalette.vue'),
    () => import('./shell/AlertPanel.vue'),
    () => import('../pages/machines/panel/MachinePanel.vue'),
    () => import('../features/machine-actions/ActionDialog.vue'),
  ]
  // If a module fails to load, its first use loads it again.
  for (const load of loads) await load().catch(() => undefined)
}
