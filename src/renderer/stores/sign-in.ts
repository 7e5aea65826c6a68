import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { failureOf, FailureError, type Failure } from '#shared/failure'

interface Question {
  readonly account: AccountId
  /** Failure that requires the sign-in; null if the user requested it. */
  readonly failure: Failure | null
  readonly answered: Promise<boolean>
  answer(signedIn: boolean): void
}

/** Asks the user to sign in again, in place. The interrupted actions wait. */
export const useSignIn = defineStore('sign-in', () => {
  const questions = shallowRef<readonly Question[]>([])
  const question = computed(() => questions.value[0] ?? null)

  /** Returns true after the sign-in, false if the user declines. All callers of an account share one question. */
  function ask(account: AccountId, failure: Failure | null): Promise<boolean> {
    const open = questions.value.find((waiting) => waiting.account === account)
    if (open) return open.answered
    let resolveAnswer: (signedIn: boolean) => void = () => undefined
    const answered = new Promise<boolean>((resolve) => (resolveAnswer = resolve))
    const added: Question = {
      account,
      failure,
      answered,
      answer(signedIn) {
        questions.value = questions.value.filter((waiting) => waiting !== added)
        resolveAnswer(signedIn)
      },
    }
    questions.value = [...questions.value, added]
    return answered
  }

  /** Runs `act`, and once more after a sign-in if it fails with not-signed-in. Fails with cancelled if the user declines. */
  async function withReauthentication<Output>(
    account: AccountId,
    act: () => Promise<Output>,
  ): Promise<Output> {
    try {
      return await act()
    } catch (error) {
      const failure = failureOf(error, '')
      if (failure.kind !== 'not-signed-in') throw error
      if (!(await ask(account, failure))) throw new FailureError({ kind: 'cancelled' })
      return act()
    }
  }

  /** Declines the questions of accounts that no longer exist. */
  function keepTo(known: readonly AccountId[]): void {
    for (const waiting of questions.value) if (!known.includes(waiting.account)) waiting.answer(false)
  }

  return { question, ask, withReauthentication, keepTo }
})
