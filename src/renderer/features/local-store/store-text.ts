import type { LedgerState, StoreState } from '#shared/bridge/store'
import { formatCount } from '#shared/locale'
import { t } from '../../platform/i18n'
import { ago } from '../../platform/time'

export interface StoreAdvice {
  readonly title: string
  readonly text: string
  /** The system's message. */
  readonly reason: string | null
  readonly step: 'retry' | 'start-afresh' | null
}

const stepOf = ({ kind }: StoreState): StoreAdvice['step'] => {
  if (kind === 'key-lost') return 'start-afresh'
  return kind === 'locked' || kind === 'no-keychain' || kind === 'disk-full' || kind === 'failed'
    ? 'retry'
    : null
}

/** Returns the advice for a state; null if the store works. */
export function storeAdvice(state: StoreState): StoreAdvice | null {
  switch (state.kind) {
    case 'opening':
      return null
    case 'open':
      if (state.quarantined === null) return null
      return {
        title: t('store.quarantined.title'),
        text: t('store.quarantined.text', { file: state.quarantined }),
        reason: null,
        step: null,
      }
    default:
      return {
        title: t(`store.states.${state.kind}.title`),
        text: t(`store.states.${state.kind}.text`),
        reason: 'reason' in state && state.reason !== '' ? state.reason : null,
        step: stepOf(state),
      }
  }
}

/** Describes how many of an account's statements are known. `now`: epoch seconds. */
export function ledgerText({ known, total, complete, reading, lastSync }: LedgerState, now: number): string {
  const count = formatCount(known)
  if (complete) {
    const values = { known: count, age: lastSync === null ? '' : ago(lastSync, now) }
    return t(lastSync === null ? 'store.ledger.kept' : 'store.ledger.keptAge', values)
  }
  const state = reading ? 'reading' : 'waiting'
  return total === null
    ? t(`store.ledger.${state}Some`, { known: count })
    : t(`store.ledger.${state}`, { known: count, total: formatCount(total) })
}
