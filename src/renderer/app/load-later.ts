import { laterMessages } from '../platform/i18n'

/** Loads what the first paint does not show and a click may, one after the other: main serves other things in between. */
export async function loadLater(): Promise<void> {
  const loads: readonly (() => Promise<unknown>)[] = [
    laterMessages,
    () => import('./shell/CommandPalette.vue'),
    () => import('./shell/AlertPanel.vue'),
    () => import('../pages/machines/panel/MachinePanel.vue'),
    () => import('../features/machine-actions/ActionDialog.vue'),
  ]
  // Who needs what could not be loaded asks for it again.
  for (const load of loads) await load().catch(() => undefined)
}
