import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { failureOf, FailureError, type Failure } from '#shared/failure'

interface Question {
  readonly account: AccountId
  /** Why it is asked; null where the person asked for it. */
  readonly failure: Failure | null
  readonly answered: Promise<boolean>
  answer(signedIn: boolean): void
}

/** Asks the person to sign in again, in place; what they were doing waits for it. */
export const useSignIn = defineStore('sign-in', () => {
  const questions = shallowRef<readonly Question[]>([])
  const question = computed(() => questions.value[0] ?? null)

  /** True once signed in, false when the person would rather not. One question per account, however many wait. */
  function ask(account: AccountId, failure: Failure | null): Promise<boolean> {
    const open = questions.value.find((one) => one.account === account)
    if (open) return open.answered
    let settle: (signedIn: boolean) => void = () => undefined
    const answered = new Promise<boolean>((resolve) => (settle = resolve))
    const asked: Question = {
      account,
      failure,
      answered,
      answer(signedIn) {
        questions.value = questions.value.filter((one) => one !== asked)
        settle(signedIn)
      },
    }
    questions.value = [...questions.value, asked]
    return answered
  }

  /** Does `act`; where it fails with not-signed-in, asks and does it once more. Fails with cancelled if refused. */
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

  /** No sign-in is possible to an account that was forgotten: its question is answered with no. */
  function keepTo(known: readonly AccountId[]): void {
    for (const one of questions.value) if (!known.includes(one.account)) one.answer(false)
  }

  return { question, ask, withReauthentication, keepTo }
})
