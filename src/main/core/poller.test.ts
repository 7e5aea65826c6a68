import { expect, it } from 'vitest'
import type { AccountsView, AccountView } from '#shared/bridge/account'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { createEmitter } from '#shared/emitter'
import { createPoller } from './poller'

const account: AccountView = {
  id: 'abcdefghijkl',
  label: 'lab',
  baseUrl: 'https://cloud.example',
  credential: 'password',
  username: 'anna',
  sandbox: false,
  state: 'signed-in',
  staysSignedIn: true,
  failure: null,
  heldUntil: null,
}
const viewOf = (heldUntil: number | null): AccountsView => ({
  accounts: [{ ...account, heldUntil }],
  selected: account.id,
})

it('sends nothing during a requested pause, and reads as soon as it ends', async () => {
  const clock = fakeClock(1_000)
  const changes = createEmitter<AccountsView>()
  let view = viewOf(null)
  let readings = 0
  createPoller({
    accounts: { view: () => view, onChange: changes.on },
    clock,
    online: () => true,
    pollInterval: { focused: 15, background: 15 },
    open: () => ({
      refresh: () => {
        readings += 1
        return Promise.resolve()
      },
      failure: () => null,
      moving: () => false,
      clear: () => undefined,
    }),
  })
  const hold = (until: number | null) => {
    view = viewOf(until)
    changes.emit(view)
  }
  await expect.poll(clock.pending).toBe(1)
  hold(1_600)
  clock.advance(599)
  expect(readings).toBe(1)
  clock.advance(1)
  expect(readings).toBe(2)
  await expect.poll(clock.pending).toBe(1)
  hold(2_500)
  clock.advance(100)
  expect(readings).toBe(2)
  hold(null)
  expect(readings).toBe(3)
})

it('starts nothing once it is closed, whatever happens to the accounts', async () => {
  const clock = fakeClock(1_000)
  const changes = createEmitter<AccountsView>()
  let readings = 0
  const poller = createPoller({
    accounts: { view: () => viewOf(null), onChange: changes.on },
    clock,
    online: () => true,
    pollInterval: { focused: 15, background: 15 },
    open: () => ({
      refresh: () => {
        readings += 1
        return Promise.resolve()
      },
      failure: () => null,
      moving: () => false,
      clear: () => undefined,
    }),
  })
  await expect.poll(clock.pending).toBe(1)
  poller.close()
  changes.emit(viewOf(null))
  clock.advance(100)
  expect([readings, clock.pending()]).toEqual([1, 0])
})

it('reads again as soon as the pause that interrupted it ends', async () => {
  const clock = fakeClock(1_000)
  let readings = 0
  createPoller({
    accounts: { view: () => viewOf(null), onChange: () => () => undefined },
    clock,
    online: () => true,
    pollInterval: { focused: 15, background: 60 },
    open: () => ({
      refresh: () => {
        readings += 1
        return Promise.resolve()
      },
      failure: () => (readings === 1 ? { kind: 'rate-limited', retryAfter: 0 } : null),
      moving: () => false,
      clear: () => undefined,
    }),
  })
  await expect.poll(clock.waits).toEqual([1])
  clock.advance(1)
  expect(readings).toBe(2)
  await expect.poll(clock.waits).toEqual([60])
})

it('keeps its interval while another account fails and is retried', async () => {
  const clock = fakeClock(1_000)
  const changes = createEmitter<AccountsView>()
  let view = viewOf(null)
  const readAt: number[] = []
  createPoller({
    accounts: { view: () => view, onChange: changes.on },
    clock,
    online: () => true,
    pollInterval: { focused: 60, background: 60 },
    open: () => ({
      refresh: () => {
        readAt.push(clock.now())
        return Promise.resolve()
      },
      failure: () => null,
      moving: () => false,
      clear: () => undefined,
    }),
  })
  for (let tries = 0; tries < 20; tries += 1) {
    await expect.poll(clock.pending).toBe(1)
    clock.advance(30)
    for (const state of ['signing-in', 'signed-out'] as const) {
      const other = { ...account, id: 'unreachable1', state, failure: { kind: 'offline' } as const }
      view = { ...view, accounts: [account, other] }
      changes.emit(view)
    }
  }
  expect(readAt).toEqual(Array.from({ length: 11 }, (_, index) => 1_000 + index * 60))
})

it('reads once per interval even if the accounts change during the reading', async () => {
  const clock = fakeClock(1_000)
  const changes = createEmitter<AccountsView>()
  let readings = 0
  let answer = (): void => undefined
  createPoller({
    accounts: { view: () => viewOf(null), onChange: changes.on },
    clock,
    online: () => true,
    pollInterval: { focused: 15, background: 15 },
    open: () => ({
      refresh: () => {
        readings += 1
        return new Promise<void>((resolve) => (answer = resolve))
      },
      failure: () => null,
      moving: () => false,
      clear: () => undefined,
    }),
  })
  changes.emit(viewOf(null))
  clock.advance(20)
  expect(readings).toBe(1)
  answer()
  await expect.poll(clock.pending).toBe(1)
  clock.advance(200)
  expect(readings).toBe(2)
})

it('reports the time from which an answer is overdue: two intervals after it was due', async () => {
  const clock = fakeClock(1_000)
  const changes = createEmitter<AccountsView>()
  let view = viewOf(null)
  const expected: (number | undefined)[] = []
  let answer = (): void => undefined
  const poller = createPoller({
    accounts: { view: () => view, onChange: changes.on },
    clock,
    online: () => true,
    pollInterval: { focused: 15, background: 60 },
    open: () => ({
      refresh: () => new Promise<void>((resolve) => (answer = resolve)),
      failure: () => null,
      moving: () => false,
      expect: (overdueAt) => expected.push(overdueAt),
      clear: () => undefined,
    }),
  })
  const settle = () => new Promise(setImmediate)
  poller.windowChanged(true)
  answer()
  await settle()
  expect(expected.at(-1)).toBe(1_045)
  // The answer that is due in 15 seconds does not come: the time stays.
  clock.advance(16)
  await settle()
  expect(expected.at(-1)).toBe(1_045)
  answer()
  await settle()
  expect(expected.at(-1)).toBe(1_016 + 15 + 30)
  poller.wakeChanged(false)
  expect(expected.at(-1)).toBeUndefined()
  poller.wakeChanged(true)
  expect(expected.at(-1)).toBe(1_016 + 30)
  answer()
  await settle()
  view = viewOf(2_000)
  changes.emit(view)
  expect(expected.at(-1)).toBeUndefined()
  poller.close()
})
