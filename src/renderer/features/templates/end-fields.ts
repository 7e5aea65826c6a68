import { computed, ref } from 'vue'
import { maxEndSeconds, minIdleSeconds } from '#shared/bridge/end-rule'
import type { TemplateEnd } from '#shared/bridge/template'
import { defaultCurrency, moneyFromDecimal } from '#shared/money/money'
import { readAmount, typedMoney } from '#shared/money/read-amount'

const hourSeconds = 3_600
export const endActions = ['never', 'delete', 'stop'] as const
export const endKinds = ['after', 'idle', 'budget'] as const

/** Returns typed hours as seconds; null if they are out of range. Pure. */
function secondsOf(text: string, min: number): number | null {
  const seconds = Math.round(Number(text.trim().replace(',', '.')) * hourSeconds)
  return text.trim() !== '' && seconds >= min && seconds <= maxEndSeconds ? seconds : null
}

/** Input of the automatic end of a template. `end`: undefined while the input is invalid; null: never. */
export function useEndFields(initial: TemplateEnd | null, currency: string | null) {
  const action = ref<(typeof endActions)[number]>(initial?.action ?? 'never')
  const kind = ref<(typeof endKinds)[number]>(initial?.when.kind ?? 'after')
  const known = initial?.when
  const budget = known?.kind === 'budget' ? known.budget : null
  const budgetCurrency = budget?.currency ?? currency ?? defaultCurrency
  const hours = ref(known && known.kind !== 'budget' ? String(known.seconds / hourSeconds) : '8')
  const amount = ref(budget ? typedMoney(budget) : '')

  const when = computed((): TemplateEnd['when'] | undefined => {
    if (kind.value === 'budget') {
      const reading = readAmount(amount.value, budgetCurrency)
      const money = reading.kind === 'amount' ? moneyFromDecimal(reading.decimal, budgetCurrency) : null
      return money && money.millionths > 0 ? { kind: 'budget', budget: money } : undefined
    }
    const seconds = secondsOf(hours.value, kind.value === 'idle' ? minIdleSeconds : 60)
    return seconds === null ? undefined : { kind: kind.value, seconds }
  })
  const end = computed((): TemplateEnd | null | undefined => {
    if (action.value === 'never') return null
    return when.value && { action: action.value, when: when.value }
  })
  return { action, kind, hours, amount, budgetCurrency, end }
}
