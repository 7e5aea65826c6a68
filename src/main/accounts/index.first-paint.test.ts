import { expect, it } from 'vitest'
import { connect, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { yieldToEventLoop } from '../core/clock'

/** Restarts an account that stays signed in. Its sign-in waits for the window. */
async function waiting() {
  const sandbox = await runSandbox()
  const log: string[] = []
  let firstPaint: () => Promise<void> = () => Promise.resolve()
  const harness = await setUp({
    firstPaint: () => firstPaint(),
    fetch: (...request) => {
      log.push('asked')
      return fetch(...request)
    },
  })
  const { id } = await connect(harness, sandbox)
  log.length = 0
  let paint: () => void = () => undefined
  const reached = new Promise<void>((resolve) => {
    firstPaint = () => {
      resolve()
      return new Promise((painted) => (paint = painted))
    }
  })
  const accounts = await harness.restart()
  const resumed = accounts.resume()
  await reached
  await yieldToEventLoop()
  return {
    accounts,
    id,
    log,
    state: () => accounts.view().accounts.find((account) => account.id === id)?.state,
    async painted(): Promise<void> {
      log.push('painted')
      paint()
      await resumed
    },
  }
}

it('sends no request for a stored account before the window is painted', async () => {
  const { log, state, painted } = await waiting()
  expect(state()).toBe('signing-in')
  await painted()
  expect([log.slice(0, 2), state()]).toEqual([['painted', 'asked'], 'signed-in'])
})

it('sends no request for an account that was signed out before', async () => {
  const { accounts, id, log, state, painted } = await waiting()
  await accounts.handlers['accounts.signOut']({ account: id })
  await painted()
  expect([log, state()]).toEqual([['painted'], 'signed-out'])
})
