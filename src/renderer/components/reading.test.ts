import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { effectScope } from 'vue'
import type { AccountView } from '#shared/bridge/account'
import type { Failure } from '#shared/failure'

const anna = 'a1b2c3d4e5f6'
const later = { kind: 'rate-limited', retryAfter: 60, until: 1_800_000_060 } as const

let ends: () => void = () => undefined
beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => {
  ends()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Mounts a page with a reading that fails with each of `failures`, and then succeeds. */
async function open(failures: readonly Failure[], account: Partial<AccountView> = {}) {
  const { accountNamed, mainProcess } = await import('../stores/stores.fixture')
  const view = (changes: Partial<AccountView>) => ({
    accounts: [accountNamed(anna, { ...account, ...changes })],
    selected: anna,
  })
  const main = mainProcess({ 'accounts.list': () => view({}) })
  const { FailureError } = await import('#shared/failure')
  const { useAccounts } = await import('../stores/accounts')
  const { useApp } = await import('../stores/app')
  const { useSignIn } = await import('../stores/sign-in')
  const { useReading } = await import('./reading')
  // Only now, because loading modules needs real timers.
  vi.useFakeTimers()
  const left = [...failures]
  let readings = 0
  let answer: () => void = () => undefined
  const act = async (): Promise<void> => {
    readings += 1
    const failure = left.shift()
    if (failure) throw new FailureError({ ...failure })
    await new Promise<void>((resolve) => (answer = resolve))
  }
  await useAccounts().start()
  const scope = effectScope()
  ends = () => scope.stop()
  const reading = scope.run(() => useReading(() => anna, 'creation.loading', act))
  if (!reading) throw new Error('the scope has ended')
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)
  reading.read()
  await pass(1)
  return {
    reading,
    pass,
    signIn: useSignIn(),
    app: useApp(),
    readings: () => readings,
    answer: () => answer(),
    change: (changes: Partial<AccountView>) => main.push('accounts.changed', view(changes)),
  }
}

describe('a reading of a page', () => {
  it('is repeated when the pause that the service requested ends', async () => {
    const page = await open([later], { heldUntil: later.until })
    await page.pass(600)
    expect(page.readings()).toBe(1)
    expect(page.reading.failure.value).toEqual(later)
    page.change({ heldUntil: null })
    await page.pass(0)
    expect(page.readings()).toBe(2)
    expect(page.reading.failure.value).toBeNull()
  })

  it('is repeated if the pause ended before its failure arrived', async () => {
    const page = await open([later])
    expect(page.readings()).toBe(2)
  })

  it('is repeated at most once in five seconds', async () => {
    const page = await open(Array.from({ length: 100 }, () => later))
    await page.pass(60)
    expect(page.readings()).toBe(14)
  })

  it('is not repeated if the service names no time', async () => {
    const page = await open([{ kind: 'rate-limited' }])
    await page.pass(600)
    expect(page.readings()).toBe(1)
  })

  it('is repeated when the network is back', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    const page = await open([{ kind: 'offline' }])
    await page.pass(60)
    expect(page.readings()).toBe(1)
    page.app.online = true
    await page.pass(0)
    expect(page.readings()).toBe(2)
  })

  it('reports a cancelled sign-in, and is repeated after the sign-in', async () => {
    const expired = { kind: 'not-signed-in', reason: 'expired' } as const
    const page = await open([expired], { state: 'signed-out' })
    page.signIn.question?.answer(false)
    await page.pass(60)
    expect(page.reading.failure.value).toMatchObject({ kind: 'not-signed-in', reason: 'signed-out' })
    expect(page.readings()).toBe(1)
    page.change({ state: 'signed-in' })
    await page.pass(0)
    expect(page.readings()).toBe(2)
  })

  it('is repeated once after changes during the reading', async () => {
    const page = await open([])
    page.reading.read()
    page.reading.read()
    await page.pass(0)
    expect(page.readings()).toBe(1)
    page.answer()
    await page.pass(0)
    expect(page.readings()).toBe(2)
    page.answer()
    await page.pass(60)
    expect(page.readings()).toBe(2)
  })

  it('is not repeated after the page is closed', async () => {
    const page = await open([later], { heldUntil: later.until })
    ends()
    page.change({ heldUntil: null })
    await page.pass(60)
    expect(page.readings()).toBe(1)
  })
})
