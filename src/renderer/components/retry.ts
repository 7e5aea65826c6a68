import { computed } from 'vue'
import type { Failure } from '#shared/failure'
import { t } from '../platform/i18n'
import { useAccounts } from '../stores/accounts'

/**
 * The button of a reading that failed: a new attempt during a pause that the service asked for is the person's word
 * that it is over.
 */
export function useRetry(failure: () => Failure | null, again: () => void) {
  const accounts = useAccounts()
  const isPaused = computed(() => failure()?.kind === 'rate-limited')
  const label = computed(() => t(isPaused.value ? 'common.actions.tryNow' : 'common.actions.retry'))
  async function retry(): Promise<void> {
    const account = accounts.selected
    // Where the pause cannot be ended, the new attempt says so.
    if (isPaused.value && account) await accounts.tryNow(account.id).catch(() => undefined)
    again()
  }
  return { isPaused, label, retry }
}
