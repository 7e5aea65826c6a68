import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createModules } from '../../src/main/app/modules'
import { openSettings } from '../../src/main/store/settings'
import { runSandbox } from '../fixtures/account-harness'
import { deep } from '../fixtures/counts'
import { fakeClock } from '../fixtures/fake-clock'
import { memorySecrets } from '../fixtures/memory-secrets'
import { plainHost } from '../fixtures/plain-host'

const day = 86_400

/** Every module with a sandbox, signed in with a password, and its number of requests. */
async function open() {
  const sandbox = await runSandbox()
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-clock-'))
  // Timers wait for elapsed seconds, even if the computer's time is set.
  const timers = fakeClock(Math.floor(Date.now() / 1_000))
  let ahead = 0
  const clock = { ...timers, now: () => timers.now() + ahead }
  const paths: string[] = []
  let [sent, busy, signIns] = [0, 0, 0]
  const counted: typeof fetch = async (input, init) => {
    sent += 1
    const url = input instanceof Request ? input.url : input.toString()
    paths.push(url)
    busy += 1
    if (url.includes('/authenticate/login')) signIns += 1
    return fetch(input, init).finally(() => (busy -= 1))
  }
  const reported: string[] = []
  const report = (action: string, error: unknown) => void reported.push(`${action}: ${String(error)}`)
  const settings = openSettings(folder)
  const main = createModules(
    plainHost({ folder, secrets: memorySecrets(), clock, fetch: counted, report }),
    settings,
  )
  onTestFinished(async () => {
    await main.close()
    await settings.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await main.modules.store.open()
  await main.start()
  const { baseUrl, username, password } = sandbox
  const { id: account } = await main.handlers['accounts.connect']({
    baseUrl,
    credential: { kind: 'password', username, password },
    staySignedIn: true,
  })
  async function settle(): Promise<void> {
    for (let calm = 0; calm < 12; calm = busy > 0 ? 0 : calm + 1) await setImmediate()
  }
  /** Lets a quarter of an hour pass; returns its requests and sign-ins. */
  async function quarter() {
    ;[sent, signIns] = [0, 0]
    for (let passed = 0; passed < 900; passed += 30) {
      timers.advance(30)
      await settle()
    }
    return { sent, signIns }
  }
  const age = () => clock.now() - (main.modules.fleet.snapshot(account)?.status.asOf ?? -Infinity)
  const set = (seconds: number) => void (ahead += seconds)
  return { set, quarter, age, paths, reported, wake: main.wakeChanged }
}

it.each(
  [
    ['forward by a year', 365 * day] as const,
    ['back by a year', -365 * day] as const,
    ['forward by a day', day] as const,
    ['back by a day', -day] as const,
  ].slice(0, deep(2, 4)),
)('a clock that is set %s stops no polling and causes no burst of requests', async (_how, seconds) => {
  const { set, quarter, age, reported } = await open()
  await quarter()
  const usual = await quarter()
  set(seconds)
  const after = await quarter()
  expect(after.sent, `usually ${String(usual.sent)}`).toBeLessThan(usual.sent * 3 + 20)
  expect(after.sent).toBeGreaterThan(usual.sent / 3)
  expect(age(), 'seconds since the last reading').toBeLessThan(300)
  expect(age()).toBeGreaterThanOrEqual(0)
  expect(after.signIns).toBeLessThanOrEqual(2)
  expect(reported).toEqual([])
})

it('nothing is sent while the computer sleeps, and all is read once it is back after a month', async () => {
  const { set, quarter, age, wake, paths } = await open()
  const usual = await quarter()
  wake(false)
  await quarter()
  paths.length = 0
  await quarter()
  expect(paths).toEqual([])
  set(30 * day)
  wake(true)
  const after = await quarter()
  expect(after.sent).toBeLessThan(usual.sent * 3 + 20)
  expect(age()).toBeLessThan(300)
})
