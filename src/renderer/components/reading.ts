import { ref, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { failureOf, FailureError } from '#shared/failure'
import type { MessagePath } from '../platform/i18n'
import { useResuming } from '../stores/resuming'
import { useSignIn } from '../stores/sign-in'
import { useAction } from './action'

/**
 * Loads data of an account when a page opens and on request, and again after the account resumes. `action` names the
 * request in failures of this computer.
 */
export function useReading(account: () => AccountId, action: MessagePath, act: () => Promise<unknown>) {
  const signIn = useSignIn()
  const { busy, failure, run } = useAction(action, async () => {
    try {
      await signIn.withReauthentication(account(), act)
    } catch (error) {
      if (failureOf(error, '').kind !== 'cancelled') throw error
      // A user who cancels the sign-in gets a notice with a button to sign in.
      throw new FailureError({ kind: 'not-signed-in', reason: 'signed-out' })
    }
  })
  const isWanted = ref(false)
  watch([isWanted, busy], ([wanted, reading]) => {
    if (!wanted || reading) return
    isWanted.value = false
    void run()
  })
  /** Reads now, or once more after the reading in flight, which may predate the change. */
  const read = (): void => {
    isWanted.value = true
  }
  useResuming({ account, failure: () => failure.value, read })
  return { busy, failure, read }
}
