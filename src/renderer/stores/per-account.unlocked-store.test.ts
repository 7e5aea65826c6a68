import { afterEach, expect, it, vi } from 'vitest'
import type { AlertLimits } from '#shared/bridge/alert'
import type { Activity } from '#shared/bridge/activity'
import { accountNamed, mainProcess } from './stores.fixture'

const account = 'a1b2c3d4e5f6'
const lost = (id: string, at: number): Activity => ({ id, account, at, event: { kind: 'sign-in-lost' } })

afterEach(() => {
  vi.restoreAllMocks()
})

it('alert limits are read again when the store is unlocked', async () => {
  const off: AlertLimits = { budget: null, perHour: null, runningHours: null, balanceDays: 3 }
  let limits = off
  const main = mainProcess({
    'accounts.list': () => ({ accounts: [accountNamed(account)], selected: account }),
    'alerts.list': () => [],
    'alerts.limits': () => limits,
  })
  const { useAccounts } = await import('./accounts')
  const { useAlerts } = await import('./alerts')
  await useAccounts().start()
  const alerts = useAlerts()
  alerts.start()
  await expect.poll(() => alerts.limits.get(account)).toEqual(off)
  limits = { ...off, runningHours: 8 }
  main.push('store.changed', { kind: 'open', quarantined: null })
  await expect.poll(() => alerts.limits.get(account)).toEqual(limits)
})

it('stored activity appears when the store is unlocked, together with newer activity', async () => {
  const since = lost('since', 20)
  let kept: readonly Activity[] = []
  const main = mainProcess({
    'accounts.list': () => ({ accounts: [accountNamed(account)], selected: account }),
    'activity.list': () => kept,
  })
  const { useAccounts } = await import('./accounts')
  const { useActivity } = await import('./activity')
  await useAccounts().start()
  const activity = useActivity()
  activity.start()
  main.push('activity.added', since)
  await expect.poll(() => activity.all).toEqual([since])
  kept = [since, lost('before', 10)]
  main.push('store.changed', { kind: 'open', quarantined: null })
  await expect.poll(() => activity.all.map(({ id }) => id)).toEqual(['since', 'before'])
})
