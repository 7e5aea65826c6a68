import type { LedgerState, StoreState } from '#shared/bridge/store'
import { formatCount } from '#shared/locale'
import { t } from '../../platform/i18n'
import { ago } from '../../platform/time'

/** What the person is to know about the local store, and what they can do. */
export interface StoreAdvice {
  readonly title: string
  readonly text: string
  /** In the system's words. */
  readonly reason: string | null
  readonly step: 'retry' | 'start-afresh' | null
}

const stepOf = ({ kind }: StoreState): StoreAdvice['step'] => {
  if (kind === 'key-lost') return 'start-afresh'
  return kind === 'locked' || kind === 'no-keychain' || kind === 'disk-full' || kind === 'failed'
    ? 'retry'
    : null
}

/** Null where all is well. */
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

/** How much of an account's statements is known. `now` is epoch seconds. */
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
