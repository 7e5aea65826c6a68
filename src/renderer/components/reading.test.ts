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

/** A page that reads something; each reading fails with the next of `failures`, and then succeeds. */
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
  // Only now: what loads modules keeps its own time.
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

describe('what a page reads once', () => {
  it('is read again as soon as the pause that the service asked for has ended, and not before', async () => {
    const page = await open([later], { heldUntil: later.until })
    await page.pass(600)
    expect(page.readings()).toBe(1)
    expect(page.reading.failure.value).toEqual(later)
    page.change({ heldUntil: null })
    await page.pass(0)
    expect(page.readings()).toBe(2)
    expect(page.reading.failure.value).toBeNull()
  })

  it('is read again where the pause ended before its failure was known', async () => {
    const page = await open([later])
    expect(page.readings()).toBe(2)
  })

  it('is read once in five seconds at most, whatever the service says', async () => {
    const page = await open(Array.from({ length: 100 }, () => later))
    await page.pass(60)
    expect(page.readings()).toBe(14)
  })

  it('is not read again by itself where the service said nothing of when', async () => {
    const page = await open([{ kind: 'rate-limited' }])
    await page.pass(600)
    expect(page.readings()).toBe(1)
  })

  it('is read again once this computer has a network', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    const page = await open([{ kind: 'offline' }])
    await page.pass(60)
    expect(page.readings()).toBe(1)
    page.app.online = true
    await page.pass(0)
    expect(page.readings()).toBe(2)
  })

  it('says that one is signed out where one would rather not sign in, and is read once one has', async () => {
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

  it('is read once more where something changed while it was read, however often', async () => {
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

  it('is left alone once the page is closed', async () => {
    const page = await open([later], { heldUntil: later.until })
    ends()
    page.change({ heldUntil: null })
    await page.pass(60)
    expect(page.readings()).toBe(1)
  })
})
