import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type {
  DeliveryOutcome,
  DeliveryTarget,
  DeliveryTargets,
  NotificationEntry,
  WebhookKind,
} from '#shared/bridge/notification'
import { bridge } from '../platform/bridge'

/** History of notifications, newest first, and the targets besides the desktop; null before they are loaded. */
export const useNotifications = defineStore('notifications', () => {
  const entries = shallowRef<readonly NotificationEntry[]>([])
  const targets = shallowRef<DeliveryTargets | null>(null)

  const fresh = computed(() => entries.value.filter(({ isNew }) => isNew))
  const earlier = computed(() => entries.value.filter(({ isNew }) => !isNew))

  async function load(): Promise<void> {
    entries.value = await bridge.call('notifications.history', {})
  }
  function start(): void {
    bridge.on('notifications.changed', (changed) => (entries.value = changed.entries))
    bridge.on('notifications.targetsChanged', (changed) => (targets.value = changed))
    // Without an answer the history follows with the next notification.
    void load().catch(() => undefined)
  }
  const markSeen = (): Promise<void> => bridge.call('notifications.markSeen', {})
  const restore = (): Promise<void> => bridge.call('notifications.restore', {})
  const clear = (): Promise<void> => bridge.call('notifications.clear', {})

  async function loadTargets(): Promise<void> {
    targets.value = await bridge.call('notifications.targets', {})
  }
  async function setWebhook(kind: WebhookKind, address: string): Promise<void> {
    targets.value = await bridge.call('notifications.setWebhook', { kind, address })
  }
  async function setMail(to: string): Promise<void> {
    targets.value = await bridge.call('notifications.setMail', { to })
  }
  async function removeTarget(target: DeliveryTarget): Promise<void> {
    targets.value = await bridge.call('notifications.removeTarget', { target })
  }
  const testTarget = (target: DeliveryTarget): Promise<DeliveryOutcome> =>
    bridge.call('notifications.testTarget', { target })

  return {
    entries,
    fresh,
    earlier,
    targets,
    start,
    markSeen,
    clear,
    restore,
    loadTargets,
    setWebhook,
    setMail,
    removeTarget,
    testTarget,
  }
})
