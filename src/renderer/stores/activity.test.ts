import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'
import type { Activity } from '#shared/bridge/activity'
import { accountNamed, mainProcess } from './stores.fixture'

const account = 'a1b2c3d4e5f6'
const lost = (id: string, at: number): Activity => ({ id, account, at, event: { kind: 'sign-in-lost' } })

beforeEach(() => {
  vi.resetModules()
})
afterEach(() => {
  vi.restoreAllMocks()
})

it('what was kept before shows once the store is unlocked, beside what happened since', async () => {
  const since = lost('since', 20)
  let kept: readonly Activity[] = []
  const main = mainProcess({
    'accounts.list': () => ({ accounts: [accountNamed(account)], selected: account }),
    'activity.list': () => kept,
    'store.state': () => ({ kind: 'locked', reason: 'refused' }),
    'ledger.state': () => {
      throw new Error('unknown')
    },
  })
  vi.spyOn(console, 'error').mockReturnValue()
  const { useAccounts } = await import('./accounts')
  const { useActivity } = await import('./activity')
  const { useLocalStore } = await import('./local-store')
  await useAccounts().start()
  await useLocalStore().start()
  const activity = useActivity()
  activity.start()
  main.push('activity.added', since)
  await vi.waitFor(() => expect(activity.all).toEqual([since]))
  kept = [since, lost('before', 10)]
  main.push('store.changed', { kind: 'open', setAside: null })
  await nextTick()
  await vi.waitFor(() => expect(activity.all.map(({ id }) => id)).toEqual(['since', 'before']))
})
