import { computed } from 'vue'
import type { Failure } from '#shared/failure'
import { t } from '../platform/i18n'
import { useAccounts } from '../stores/accounts'
import { useLocalStore } from '../stores/local-store'

/**
 * The retry button of a failed reading. During a pause that the service requested, the button ends the pause. If the
 * keychain is unavailable, it asks the keychain again, which may prompt the user.
 */
export function useRetry(failure: () => Failure | null, again: () => void) {
  const accounts = useAccounts()
  const store = useLocalStore()
  const isPaused = computed(() => failure()?.kind === 'rate-limited')
  const label = computed(() => t(isPaused.value ? 'common.actions.tryNow' : 'common.actions.retry'))
  async function retry(): Promise<void> {
    const account = accounts.selected
    // If the pause cannot be ended, the new attempt fails with the reason.
    if (isPaused.value && account) await accounts.tryNow(account.id).catch(() => undefined)
    if (failure()?.kind === 'keychain-unavailable') await store.retry().catch(() => undefined)
    again()
  }
  return { isPaused, label, retry }
}
