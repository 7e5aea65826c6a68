import { ref, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { failureOf, FailureError } from '#shared/failure'
import type { MessagePath } from '../platform/i18n'
import { useResuming } from '../stores/resuming'
import { useSignIn } from '../stores/sign-in'
import { useAction } from './action'

/**
 * Something of an account that a page reads when it opens and when the person asks; it is read again by itself once
 * what kept it from being sent is over. `act` is the reading, `action` names it in a failure of this computer.
 */
export function useReading(account: () => AccountId, action: MessagePath, act: () => Promise<unknown>) {
  const signIn = useSignIn()
  const { busy, failure, run } = useAction(action, async () => {
    try {
      await signIn.withReauthentication(account(), act)
    } catch (error) {
      if (failureOf(error, '').kind !== 'cancelled') throw error
      // Who would rather not sign in now may do so later.
      throw new FailureError({ kind: 'not-signed-in', reason: 'signed-out' })
    }
  })
  const isWanted = ref(false)
  watch([isWanted, busy], ([wanted, reading]) => {
    if (!wanted || reading) return
    isWanted.value = false
    void run()
  })
  /** A reading in flight may predate the change: then one more follows. */
  const read = (): void => {
    isWanted.value = true
  }
  useResuming({ account, failure: () => failure.value, read })
  return { busy, failure, read }
}
