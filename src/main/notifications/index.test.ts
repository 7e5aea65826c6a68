import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { startNotifications } from '../../../test/fixtures/notifications-harness'
import { installation } from '../../../test/fixtures/private-documents'
import { webhookServer } from '../../../test/fixtures/webhook-server'
import { type NotificationKind, notificationKinds, type QuietHours } from '#shared/bridge/app'

const at = (text: string): number => Date.parse(text) / 1000
const destination = { page: 'connect' } as const
const zone = process.env.TZ
beforeEach(() => {
  process.env.TZ = 'Europe/Berlin'
})
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

const start = (
  preferences: { mutedNotifications?: NotificationKind[]; quietHours?: QuietHours } = {},
  clock = fakeClock(at('2026-06-10T12:00:00+02:00')),
) => startNotifications(installation(), { clock, preferences: () => preferences })
const titles = async ({ calls }: ReturnType<typeof start>) =>
  (await calls['notifications.history']({})).map(({ title }) => title)

describe('a notification', () => {
  it('is shown and recorded for every kind until the user turns the kind off', async () => {
    const run = start()
    await run.open()
    for (const kind of notificationKinds) run.notifications.show(kind, { title: kind, body: '' }, destination)
    expect(run.desktop).toEqual(notificationKinds)
    expect(await titles(run)).toEqual([...notificationKinds].reverse())
  })

  it('is neither shown, recorded nor sent if its kind is turned off', async () => {
    const run = start({ mutedNotifications: ['idle'] })
    const { url, received } = await webhookServer()
    await run.calls['notifications.setWebhook']({ kind: 'json', address: url })
    run.notifications.show('idle', { title: 'Idle', body: '' }, destination)
    run.notifications.show('budget', { title: 'Budget', body: '' }, destination)
    expect(run.desktop).toEqual(['Budget'])
    expect(await titles(run)).toEqual(['Budget'])
    await expect.poll(() => received).toMatchObject([{ body: { kind: 'budget' } }])
  })

  it('shows output of a machine on this computer only', async () => {
    const run = start()
    const { url, received } = await webhookServer()
    await run.calls['notifications.setWebhook']({ kind: 'json', address: url })
    const words = { title: 'Finished: train', body: 'after 2 h', output: 'token=canary' }
    run.notifications.show('job', words, destination)
    await expect.poll(() => received).toMatchObject([{ body: { title: words.title, body: 'after 2 h' } }])
    expect(await run.calls['notifications.history']({})).toMatchObject([{ body: 'after 2 h\ntoken=canary' }])
  })

  it('in quiet hours is recorded and sent, but shown only if it is urgent', async () => {
    const clock = fakeClock(at('2026-06-10T21:59:00+02:00'))
    const run = start({ quietHours: { isOn: true, from: 22 * 60, to: 8 * 60 } }, clock)
    const { url, received } = await webhookServer()
    await run.calls['notifications.setWebhook']({ kind: 'json', address: url })
    const show = (kind: NotificationKind, title: string) =>
      run.notifications.show(kind, { title, body: '' }, destination)
    show('job', 'before')
    clock.advance(60)
    show('job', 'at night')
    show('end-rule', 'countdown')
    clock.advance(10 * 3_600)
    show('job', 'in the morning')
    expect(run.desktop).toEqual(['before', 'countdown', 'in the morning'])
    expect(await titles(run)).toEqual(['in the morning', 'countdown', 'at night', 'before'])
    const Body = z.object({ title: z.string(), urgent: z.boolean() })
    const sent = () =>
      received.map(({ body }) => {
        const { title, urgent } = Body.parse(body)
        return [title, urgent]
      })
    await expect.poll(sent).toEqual([
      ['before', false],
      ['countdown', true],
      ['at night', false],
      ['in the morning', false],
    ])
  })

  it('for a test is shown even if all kinds are turned off, and is not recorded', async () => {
    const run = start({ mutedNotifications: [...notificationKinds] })
    await run.open()
    await run.calls['notifications.test']({})
    expect(run.desktop).toEqual(['Test notification'])
    expect(await titles(run)).toEqual([])
  })
})
