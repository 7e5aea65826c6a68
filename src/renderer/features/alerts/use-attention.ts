import { computed } from 'vue'
import type { Alert } from '#shared/bridge/alert'
import { useAlerts } from '../../stores/alerts'
import { useWaste } from '../../stores/waste'
import type { Attention } from './alert-order'

/** Awake alerts with their waste, and the waste without an alert, in no order. */
export function useAttention() {
  const alerts = useAlerts()
  const waste = useWaste()

  const wasteOf = ({ account, cause }: Alert) => {
    const item = cause.kind === 'idle' ? waste.of(account, cause.machine) : null
    return item && { ...item, account }
  }
  const awake = computed(() =>
    alerts.awake.map((alert) => ({ kind: 'alert' as const, alert, waste: wasteOf(alert) })),
  )
  const uncovered = computed(() => {
    const covered = new Set(alerts.all.flatMap((alert) => wasteOf(alert)?.id ?? []))
    return waste.found
      .flatMap(({ items }) => items)
      .filter(({ id }) => !covered.has(id))
      .map((item) => ({ kind: 'waste' as const, waste: item }))
  })
  const all = computed((): readonly Attention[] => [...awake.value, ...uncovered.value])
  return { awake, all }
}
