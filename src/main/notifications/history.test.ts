import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { startNotifications } from '../../../test/fixtures/notifications-harness'
import { installation } from '../../../test/fixtures/private-documents'
import type { NotificationKind } from '#shared/bridge/app'
import { maxNotifications, type NotificationEntry } from '#shared/bridge/notification'

const now = 1_780_000_000
const account = 'abcdefghijkl'
const machines = (id = account) => ({ page: 'machines', account: id }) as const

describe('the history of notifications', () => {
  it('survives a restart, encrypted, newest first', async () => {
    const place = installation()
    const clock = fakeClock(now)
    const first = startNotifications(place, { clock })
    await first.open()
    first.notifications.show('job', { title: 'canary-1', body: 'exit 0' }, machines())
    clock.advance(60)
    first.notifications.show('job', { title: 'canary-2', body: '' }, machines())
    await first.end()
    expect(place.plainText()).not.toContain('canary')

    const second = startNotifications(place, { clock })
    const pushed: (readonly NotificationEntry[])[] = []
    second.notifications.events['notifications.changed'](({ entries }) => void pushed.push(entries))
    second.notifications.show('job', { title: 'canary-3', body: '' }, machines())
    await second.open()
    const listed = await second.calls['notifications.history']({})
    expect(pushed.at(-1)).toEqual(listed)
    expect(listed).toMatchObject([
      { title: 'canary-3' },
      { title: 'canary-2', at: now + 60, isNew: true },
      { title: 'canary-1', body: 'exit 0', at: now, kind: 'job', destination: machines() },
    ])
  })

  it('is bounded', async () => {
    const { notifications, calls, open } = startNotifications(installation(), { clock: fakeClock(now) })
    await open()
    for (let count = 0; count < maxNotifications + 5; count += 1)
      notifications.show('job', { title: String(count), body: '' }, machines())
    const entries = await calls['notifications.history']({})
    expect(entries).toHaveLength(maxNotifications)
    expect(entries.at(0)?.title).toBe(String(maxNotifications + 4))
    const output = 'x\n'.repeat(100) + 'y'.repeat(100_000)
    notifications.show('job', { title: 'z'.repeat(1_000), body: '', output }, machines())
    const [latest] = await calls['notifications.history']({})
    expect(latest?.title).toHaveLength(200)
    expect(latest?.body.length).toBeLessThan(6_100)
  })

  it('marks notifications as seen, except alerts, which the bell lists themselves', async () => {
    const { notifications, calls, open } = startNotifications(installation(), { clock: fakeClock(now) })
    await open()
    const kinds: readonly NotificationKind[] = ['idle', 'job', 'end-rule', 'budget']
    for (const kind of kinds) notifications.show(kind, { title: kind, body: '' }, machines())
    const fresh = async () =>
      (await calls['notifications.history']({})).filter(({ isNew }) => isNew).map(({ kind }) => kind)
    expect(await fresh()).toEqual(['end-rule', 'job'])
    await calls['notifications.markSeen']({})
    expect(await fresh()).toEqual([])
    await calls['notifications.clear']({})
    expect(await calls['notifications.history']({})).toEqual([])
  })

  it('restores cleared notifications once, below newer ones, except notifications of a forgotten account', async () => {
    const { notifications, calls, open } = startNotifications(installation(), { clock: fakeClock(now) })
    await open()
    const titles = async () => (await calls['notifications.history']({})).map(({ title }) => title)
    for (const id of [account, 'another00001'])
      notifications.show('job', { title: id, body: '' }, machines(id))
    await calls['notifications.clear']({})
    notifications.show('job', { title: 'newer', body: '' }, machines('another00001'))
    await notifications.forgetAccount(account)
    await calls['notifications.restore']({})
    expect(await titles()).toEqual(['newer', 'another00001'])
    await calls['notifications.restore']({})
    expect(await titles()).toEqual(['newer', 'another00001'])
  })

  it('forgets an account', async () => {
    const { notifications, calls, open } = startNotifications(installation(), { clock: fakeClock(now) })
    await open()
    for (const id of [account, 'another00001'])
      notifications.show('job', { title: id, body: '' }, machines(id))
    await notifications.forgetAccount(account)
    expect((await calls['notifications.history']({})).map(({ title }) => title)).toEqual(['another00001'])
  })

  it('forgets an account that was removed while the store was closed', async () => {
    const place = installation()
    const first = startNotifications(place, { clock: fakeClock(now) })
    await first.open()
    for (const id of [account, 'another00001'])
      first.notifications.show('job', { title: id, body: '' }, machines(id))
    await first.end()

    const second = startNotifications(place, { clock: fakeClock(now) })
    await second.documents.forgetAccount(account, second.notifications.forgetAccount)
    await second.end()

    const third = startNotifications(place, { clock: fakeClock(now) })
    await third.open()
    const entries = await third.calls['notifications.history']({})
    expect(entries.map(({ title }) => title)).toEqual(['another00001'])
  })
})
