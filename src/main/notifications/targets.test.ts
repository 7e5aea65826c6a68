import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { fakeMailer, startNotifications } from '../../../test/fixtures/notifications-harness'
import { installation } from '../../../test/fixtures/private-documents'
import { webhookServer } from '../../../test/fixtures/webhook-server'
import type { DeliveryTargets } from '#shared/bridge/notification'

const now = 1_780_000_000
const words = { title: 'Idle', body: 'train-01' }
const destination = { page: 'connect' } as const
const secret = 'T0ABCDEF-sEcReT'

describe('the webhook', () => {
  it('is off until it is set, is stored in the keychain only, and survives a restart', async () => {
    const place = installation()
    const { url, received } = await webhookServer()
    const first = startNotifications(place, { clock: fakeClock(now) })
    expect(await first.calls['notifications.targets']({})).toEqual({
      webhook: null,
      mail: null,
      mailer: null,
    })
    first.notifications.show('idle', words, destination)
    const set = await first.calls['notifications.setWebhook']({
      kind: 'slack',
      address: ` ${url}/${secret} `,
    })
    expect(set.webhook).toEqual({ kind: 'slack', place: new URL(url).host, result: null })
    await first.end()
    expect([...place.keychain.entries.values()].some((entry) => entry.includes(secret))).toBe(true)
    expect(place.plainText()).not.toContain(secret)

    const second = startNotifications(place, { clock: fakeClock(now + 60) })
    await second.open()
    const pushed: DeliveryTargets[] = []
    second.notifications.events['notifications.targetsChanged']((targets) => void pushed.push(targets))
    second.notifications.show('idle', words, destination)
    await expect.poll(() => received).toHaveLength(1)
    const sent = { at: now + 60, outcome: { kind: 'sent' } }
    await expect.poll(() => pushed.at(-1)?.webhook?.result).toEqual(sent)
    expect(JSON.stringify(pushed)).not.toContain(secret)
    await second.end()

    const third = startNotifications(place, { clock: fakeClock(now) })
    await third.open()
    expect((await third.calls['notifications.targets']({})).webhook?.result).toEqual(sent)
  })

  it('is removed together with its address', async () => {
    const place = installation()
    const { url, received } = await webhookServer()
    const { calls, notifications } = startNotifications(place, { clock: fakeClock(now) })
    await calls['notifications.setWebhook']({ kind: 'json', address: `${url}/${secret}` })
    expect(await calls['notifications.removeTarget']({ target: 'webhook' })).toMatchObject({ webhook: null })
    expect([...place.keychain.entries.values()].join('')).not.toContain(secret)
    notifications.show('idle', words, destination)
    expect(await calls['notifications.testTarget']({ target: 'webhook' })).toEqual({ kind: 'no-address' })
    expect(received).toEqual([])
  })

  it('is not set if the keychain does not store its address', async () => {
    const place = installation()
    const { calls } = startNotifications(place, { clock: fakeClock(now) })
    place.keychain.failing = 'locked'
    await expect(
      calls['notifications.setWebhook']({ kind: 'json', address: `http://127.0.0.1:1/${secret}` }),
    ).rejects.toMatchObject({ failure: { kind: 'keychain-unavailable' } })
    expect(await calls['notifications.targets']({})).toMatchObject({ webhook: null })
  })

  it('reports that the keychain no longer has its address', async () => {
    const place = installation()
    const first = startNotifications(place, { clock: fakeClock(now) })
    await first.calls['notifications.setWebhook']({ kind: 'json', address: 'http://127.0.0.1:1/x' })
    await first.end()
    await place.keychain.deletePassword('Wheelhouse', 'notifications/webhook')
    const second = startNotifications(place, { clock: fakeClock(now) })
    await second.open()
    expect(await second.calls['notifications.testTarget']({ target: 'webhook' })).toEqual({
      kind: 'no-address',
    })
  })

  it('waits for a locked keychain that returns no address', async () => {
    const place = installation()
    const { url, received } = await webhookServer()
    const first = startNotifications(place, { clock: fakeClock(now) })
    await first.calls['notifications.setWebhook']({ kind: 'json', address: url })
    await first.end()
    const clock = fakeClock(now)
    const second = startNotifications(place, { clock })
    await second.open()
    place.keychain.refused = true
    second.notifications.show('idle', words, destination)
    const outcome = async () => (await second.calls['notifications.targets']({})).webhook?.result?.outcome
    await expect.poll(outcome).toMatchObject({ kind: 'failed', failure: { kind: 'keychain-unavailable' } })
    place.keychain.refused = false
    clock.advance(30)
    await expect.poll(() => received).toHaveLength(1)
  })

  it('gets a notification of before the store was open', async () => {
    const place = installation()
    const { url, received } = await webhookServer()
    const first = startNotifications(place, { clock: fakeClock(now) })
    await first.calls['notifications.setWebhook']({ kind: 'json', address: url })
    await first.end()
    const second = startNotifications(place, { clock: fakeClock(now) })
    second.notifications.show('idle', words, destination)
    await second.open()
    await expect.poll(() => received).toMatchObject([{ body: { title: words.title } }])
  })

  it('sends a test even in quiet hours, with its real result', async () => {
    const { url, received } = await webhookServer((_request, response) =>
      response.writeHead(404).end('no_service'),
    )
    const { calls } = startNotifications(installation(), { clock: fakeClock(now) })
    await calls['notifications.setWebhook']({ kind: 'slack', address: `${url}/${secret}` })
    const outcome = { kind: 'refused', status: 404, message: 'no_service' }
    expect(await calls['notifications.testTarget']({ target: 'webhook' })).toEqual(outcome)
    expect(received).toHaveLength(1)
    const { webhook } = await calls['notifications.targets']({})
    expect(webhook?.result).toEqual({ at: now, outcome })
  })
})

describe('mail', () => {
  it('is handed to the system’s mail program', async () => {
    const place = installation()
    const { program, mail } = fakeMailer(place.folder)
    const { calls, notifications } = startNotifications(place, { clock: fakeClock(now), mailers: [program] })
    const set = await calls['notifications.setMail']({ to: 'anna@example.com' })
    expect(set).toMatchObject({ mail: { to: 'anna@example.com', result: null }, mailer: program })
    notifications.show('idle', words, destination)
    await expect.poll(() => readFileSync(mail, { encoding: 'utf8', flag: 'a+' })).toContain('To: anna@')
    const result = async () => (await calls['notifications.targets']({})).mail?.result
    await expect.poll(result).toEqual({ at: now, outcome: { kind: 'sent' } })
  })

  it('cannot be sent without such a program', async () => {
    const { calls } = startNotifications(installation(), { clock: fakeClock(now), mailers: ['no-mailer-x'] })
    await calls['notifications.setMail']({ to: 'anna@example.com' })
    expect(await calls['notifications.testTarget']({ target: 'mail' })).toEqual({ kind: 'no-mailer' })
  })

  it('is sent even if the webhook fails', async () => {
    const place = installation()
    const { program, mail } = fakeMailer(place.folder)
    const { url } = await webhookServer((request) => request.socket.destroy())
    const { calls, notifications } = startNotifications(place, { clock: fakeClock(now), mailers: [program] })
    await calls['notifications.setWebhook']({ kind: 'json', address: url })
    await calls['notifications.setMail']({ to: 'anna@example.com' })
    notifications.show('idle', words, destination)
    await expect.poll(() => readFileSync(mail, { encoding: 'utf8', flag: 'a+' })).toContain('To: anna@')
    const kind = async () => (await calls['notifications.targets']({})).webhook?.result?.outcome.kind
    await expect.poll(kind).toBe('unknown')
  })
})
