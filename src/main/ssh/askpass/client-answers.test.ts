import { expect, it } from 'vitest'
import { fakeClock } from '../../../../test/fixtures/fake-clock'
import { account } from '../../../../test/fixtures/ssh-harness'
import { createClientAnswers } from './client-answers'

/** Client answers with a full disk and a user who never answers. */
function setUp() {
  const reports: string[] = []
  const waits: boolean[] = []
  const refused = (): Promise<never> => Promise.reject(new Error('disk full'))
  const answers = createClientAnswers(
    {
      clock: fakeClock(),
      closed: () => undefined,
      password: () => null,
      questions: { ask: () => Promise.resolve(null) },
      passphrases: { read: refused, keep: refused, drop: refused },
      report: (action, error) => reports.push(`${action}: ${String(error)}`),
    },
    {
      account,
      machine: 'm1',
      machineName: 'trainer',
      identityFile: null,
      user: 'jane',
      alias: 'm1',
      hostKeys: () => Promise.resolve([]),
      confirmHostKey: refused,
      forgetHostKeys: refused,
    },
  )
  answers.onAsk((isOpen) => waits.push(isOpen))
  return { answers, reports, waits }
}

it('a failure counts as no answer and is reported', async () => {
  const { answers, reports, waits } = setUp()
  expect(await answers.confirms({ type: 'ssh-ed25519', blob: '' })).toBe(false)
  expect(await answers.passphrase('/k', () => expect.fail('a passphrase'))).toBeNull()
  expect(reports).toEqual(Array(2).fill('askpass: Error: disk full'))
  expect(waits).toEqual([true, false, true, false])
})

it('a closed client gets no question', async () => {
  const { answers, waits } = setUp()
  answers.close()
  expect(await answers.password()).toBeNull()
  expect(answers.isUnanswered()).toBe(false)
  expect(waits).toEqual([])
})
