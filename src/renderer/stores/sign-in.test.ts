import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import { useSignIn } from './sign-in'

const account = 'a1b2c3d4e5f6'
const expired = new FailureError({ kind: 'not-signed-in', reason: 'expired' })

/** An action that succeeds after the sign-in. */
function deed() {
  let signedIn = false
  let tries = 0
  return {
    signIn: () => (signedIn = true),
    tries: () => tries,
    act: () => {
      tries += 1
      return signedIn ? Promise.resolve('done') : Promise.reject(expired)
    },
  }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the sign-in store', () => {
  beforeEach(() => setActivePinia(createPinia()))

  it('repeats an interrupted action after the sign-in', async () => {
    const signIn = useSignIn()
    const { act, signIn: enter, tries } = deed()
    const waiting = signIn.withReauthentication(account, act)
    await settled()
    expect(signIn.question).toMatchObject({ account, failure: expired.failure })

    enter()
    signIn.question?.answer(true)
    expect(await waiting).toBe('done')
    expect(tries()).toBe(2)
    expect(signIn.question).toBeNull()
  })

  it('asks once for any number of waiting actions', async () => {
    const signIn = useSignIn()
    const deeds = [deed(), deed(), deed()]
    const waiting = deeds.map(({ act }) => signIn.withReauthentication(account, act))
    await settled()
    for (const { signIn: enter } of deeds) enter()
    signIn.question?.answer(true)
    expect(signIn.question).toBeNull()
    expect(await Promise.all(waiting)).toEqual(['done', 'done', 'done'])
  })

  it('asks for one account at a time', async () => {
    const signIn = useSignIn()
    const first = signIn.ask(account, null)
    const second = signIn.ask('b1b2c3d4e5f6', null)
    expect(signIn.question?.account).toBe(account)
    signIn.question?.answer(false)
    expect(signIn.question?.account).toBe('b1b2c3d4e5f6')
    signIn.question?.answer(true)
    expect(await Promise.all([first, second])).toEqual([false, true])
  })

  it('cancels the action if the user declines', async () => {
    const signIn = useSignIn()
    const { act, tries } = deed()
    const waiting = signIn.withReauthentication(account, act).catch((error: unknown) => error)
    await settled()
    signIn.question?.answer(false)
    expect(await waiting).toMatchObject({ failure: { kind: 'cancelled' } })
    expect(tries()).toBe(1)
  })

  it('passes on every other failure', async () => {
    const signIn = useSignIn()
    const failure = { kind: 'offline' } as const
    await expect(
      signIn.withReauthentication(account, () => Promise.reject(new FailureError(failure))),
    ).rejects.toMatchObject({
      failure,
    })
    expect(signIn.question).toBeNull()
  })

  it('declines the question of a forgotten account', async () => {
    const signIn = useSignIn()
    const forgotten = signIn.ask('b1b2c3d4e5f6', null)
    const other = signIn.ask(account, null)
    signIn.keepTo([account])
    expect(await forgotten).toBe(false)
    expect(signIn.question).toMatchObject({ account })
    signIn.question?.answer(true)
    expect(await other).toBe(true)
  })
})
