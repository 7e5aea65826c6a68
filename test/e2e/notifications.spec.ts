import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Locator, Page } from '@playwright/test'
import { z } from 'zod'
import { expect, test } from './fixtures'
import { askBridge, machineId, selectedAccount } from './support/bridge'
import { enter } from './support/enter'
import { resize } from './support/narrow'
import { catchNotifications } from './support/notifications'
import { pictureInBothThemes } from './support/pictures'
import { openPage } from './support/window'

const secret = 'B0ABCDEF-sEcReTtOkEn'
const Body = z.object({ text: z.string() })
const Address = z.object({ port: z.number() })

/** A webhook server of this computer. `answer`: its next answers. */
async function webhookServer() {
  const texts: string[] = []
  const next = { status: 200, body: 'ok' }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      texts.push(Body.parse(JSON.parse(body)).text)
      response.writeHead(next.status).end(next.body)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = Address.parse(server.address())
  return { address: `http://127.0.0.1:${String(port)}/services/${secret}`, texts, next, server }
}

const bell = (window: Page): Locator => window.getByRole('button', { name: /^Alerts and notifications: / })
const countOf = async (window: Page): Promise<number> =>
  Number(/\d+/.exec((await bell(window).getAttribute('aria-label')) ?? '')?.[0] ?? 0)

async function openDelivery(window: Page): Promise<Locator> {
  await openPage(window, 'Settings')
  await window
    .getByRole('navigation', { name: 'Settings sections' })
    .getByRole('link', { name: 'Webhook and email' })
    .click()
  return window.getByRole('region', { name: 'Webhook and email' })
}

test('notifications reach a webhook and a mailbox, and the bell lists them after a restart', async ({
  start,
  place,
  secrets,
  service,
}) => {
  test.setTimeout(240_000)
  const { address, texts, next, server } = await webhookServer()
  secrets.push({ what: 'address of the webhook', value: secret })
  // A mail program like the system's own, which stores the mail.
  const programs = join(place.home, 'programs')
  const mail = join(place.home, 'mail')
  mkdirSync(programs)
  writeFileSync(
    join(programs, 'sendmail'),
    `#!/bin/sh\ncat > '${mail}.part' && mv '${mail}.part' '${mail}'\n`,
  )
  chmodSync(join(programs, 'sendmail'), 0o700)
  const env = { PATH: `${programs}:${process.env.PATH ?? ''}` }

  const { electron, window, quit } = await start(env)
  await enter(window, service)
  const machine = 'train-llama-01'
  const delivery = await openDelivery(window)
  await pictureInBothThemes(electron, window, 'Webhook and email, not set up')

  // By keyboard: an address that is refused stays, and is corrected.
  const field = delivery.getByLabel('Webhook address')
  await field.fill(address.replace('http://127.0.0.1', 'http://hooks.example.com'))
  await window.keyboard.press('Enter')
  await expect(delivery.getByText(/^Use https:\/\//)).toBeVisible()
  await pictureInBothThemes(electron, window, 'A webhook that is refused')
  await field.fill(address)
  await window.keyboard.press('Enter')
  await expect(delivery.getByText(/^Slack, 127\.0\.0\.1:\d+$/)).toBeVisible()
  expect(await window.content()).not.toContain(secret)

  const sendTest = (target: string) =>
    delivery.getByRole('button', { name: `Send a test: ${target}` }).click()
  await sendTest('Webhook')
  await expect(delivery.getByText(/: Sent$/)).toBeVisible()
  expect(texts).toEqual(['Test notification\nNotifications from Wheelhouse work.'])
  Object.assign(next, { status: 404, body: 'no_service' })
  await sendTest('Webhook')
  await expect(delivery.getByText(/: Refused \(HTTP 404\): no_service$/)).toBeVisible()
  Object.assign(next, { status: 200, body: 'ok' })

  await delivery.getByLabel('Email address').fill('anna@example.com')
  await window.keyboard.press('Enter')
  await sendTest('Email')
  await expect(delivery.getByText(/The mail program accepted it/)).toBeVisible()
  expect(readFileSync(mail, 'utf8')).toContain('To: anna@example.com')
  await pictureInBothThemes(electron, window, 'Webhook and email with results')
  await resize(electron, [1000, 700])
  await delivery.scrollIntoViewIfNeeded()
  await pictureInBothThemes(electron, window, 'Webhook and email in a narrow window')
  await resize(electron, [1360, 860])

  // Quiet hours for the whole day: the desktop stays silent.
  await window.getByRole('checkbox', { name: 'Quiet hours' }).click()
  await window.getByLabel('From', { exact: true }).selectOption('12:00 PM')
  await window.getByLabel('To', { exact: true }).selectOption('12:00 PM')
  await pictureInBothThemes(electron, window, 'Quiet hours')

  const notifications = await catchNotifications(electron)
  const before = await countOf(window)
  await askBridge(window, 'reminders.add', {
    account: await selectedAccount(window),
    machine: await machineId(window, machine),
    at: Math.ceil(Date.now() / 1000) + 2,
  })
  await expect.poll(() => texts.at(-1), { timeout: 30_000 }).toContain(machine)
  await expect.poll(() => existsSync(mail) && readFileSync(mail, 'utf8')).toContain('Subject: =?UTF-8?B?')
  // Alerts of the sandbox may begin at the same time.
  await expect.poll(() => countOf(window)).toBeGreaterThan(before)
  expect(await notifications.shown()).toEqual([])
  await quit()

  const again = await start(env)
  await expect.poll(() => countOf(again.window), { timeout: 60_000 }).toBeGreaterThan(0)
  await bell(again.window).click()
  const panel = again.window.getByRole('dialog', { name: 'Alerts' })
  const fresh = panel.getByRole('list', { name: 'New notifications' }).getByRole('listitem')
  await expect(fresh).toHaveCount(1)
  await expect(fresh).toContainText(machine)
  const listed = async () =>
    (await fresh.count()) + (await panel.getByRole('list', { name: 'Alerts' }).getByRole('listitem').count())
  await expect.poll(async () => (await countOf(again.window)) - (await listed())).toBe(0)
  await pictureInBothThemes(again.electron, again.window, 'Notifications in the bell')
  await fresh.getByRole('button', { name: /^Show: / }).click()
  await expect(again.window.getByRole('complementary', { name: `Machine ${machine}` })).toBeVisible()
  await bell(again.window).click()
  await expect(fresh).toHaveCount(0)
  await panel.getByRole('button', { name: /^Earlier notifications \(\d+\)$/ }).click()
  await expect(panel.getByRole('list', { name: /^Earlier notifications \(\d+\)$/ })).toContainText(machine)
  await expect.poll(async () => (await countOf(again.window)) - (await listed())).toBe(0)
  server.close()
})
