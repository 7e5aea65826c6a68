import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures'
import { askBridge } from './support/bridge'
import { enter } from './support/enter'
import { requestsTo, stateOf } from '../fixtures/sandbox-control'
import { byKeyboard, byMouse } from './support/hand'
import { narrow, resize } from './support/narrow'
import { catchNotifications } from './support/notifications'
import { passTime } from './support/pass-time'
import { pictureInBothThemes } from './support/pictures'
import { machineRows, openMachine, panelOf, showTab } from './support/window'

// Every connection is real.
const reading = { timeout: 90_000 }

test('a machine is armed for deletion, warned of, extended, and held back because of unsaved work', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  const account = await enter(window, service)
  const name = 'train-llama-01'
  const panel = await openMachine(window, name)
  await showTab(panel, 'Cost')
  await panel.getByRole('button', { name: 'End automatically…' }).click()
  const dialog = window.getByRole('dialog', { name: `End ${name} automatically` })
  await expect(dialog).toContainText('This computer must be awake')
  await pictureInBothThemes(electron, window, 'Arming a deletion')
  await dialog.getByRole('radio', { name: 'Stop', exact: true }).click()
  await dialog.getByRole('radio', { name: 'When idle', exact: true }).click()
  await expect(dialog).toContainText('Stopping doesn’t stop billing')
  await expect(dialog).toContainText('To end the cost, select Delete.')
  await pictureInBothThemes(electron, window, 'Arming a stop of an idle machine')
  await dialog.getByRole('radio', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('radio', { name: 'After hours', exact: true }).click()
  await dialog.getByLabel('Hours').fill('0.2')
  await expect(dialog.getByRole('button', { name: 'Arm deletion' })).toBeDisabled()
  await dialog.getByLabel(`Type ${name}`).fill(name)
  await window.keyboard.press('Enter')
  await expect(dialog).toBeHidden()

  // Fewer than 15 minutes are left, so the notice is shown at once.
  const notice = panel.getByRole('region', { name: 'Automatic end' })
  await expect(notice).toContainText(/Deleted in \d+ min/)
  const row = machineRows(window).filter({ hasText: name })
  await expect(row).toContainText(/Deleted in \d+ min/)
  await pictureInBothThemes(electron, window, 'A countdown to a deletion')
  await resize(electron, narrow)
  await pictureInBothThemes(electron, window, 'A countdown to a deletion, narrow')
  await notice.getByRole('button', { name: 'Extend 1 hour' }).click()
  await expect(notice).toContainText(/Deleted in 1 h/)
  await expect(notice).toBeInViewport({ ratio: 1 })
  await pictureInBothThemes(electron, window, 'An armed end in the Cost tab, narrow')
  await notice.getByRole('button', { name: 'Extend 1 hour' }).click()
  await expect(notice).toContainText(/Deleted in 2 h/)

  // The user ends it now: the last look finds unsaved work.
  const [rule] = await askBridge(window, 'endRules.list', { account })
  await askBridge(window, 'endRules.now', { account, rule: rule?.id ?? '' })
  await expect(notice).toContainText('There is work that would be lost', reading)
  await pictureInBothThemes(electron, window, 'A deletion that was held back')
  expect((await requestsTo(service)).filter((one) => one.startsWith('DELETE '))).toEqual([])
  await notice.getByRole('button', { name: 'Keep machine' }).focus()
  await window.keyboard.press('Enter')
  await expect(row).not.toContainText('Not deleted')
  expect(await askBridge(window, 'endRules.list', { account })).toEqual([])
})

for (const { way, handOf } of [
  { way: 'by mouse', handOf: () => byMouse },
  { way: 'by keyboard', handOf: byKeyboard },
])
  test(`an end is carried out at its time, and an end missed while asleep asks, ${way}`, async ({
    start,
    service,
  }) => {
    const { electron, window } = await start()
    const account = await enter(window, service)
    const notifications = await catchNotifications(electron)
    const hand = handOf(window)
    const { open, press, write } = hand
    const row = (name: string) => machineRows(window).filter({ hasText: name })
    const [stopped, deleted, third] = ['eval-nightly', 'old-experiment', 'train-llama-01']
    async function show(name: string): Promise<Locator> {
      await open(window.getByRole('grid', { name: 'Machines' }), row(name))
      const panel = panelOf(window, name)
      await expect(panel.getByRole('heading', { name })).toBeVisible()
      return panel
    }
    /** Opens the dialog of the automatic end, fills it in and arms it. */
    const arm = async (name: string, action: 'Stop' | 'Delete', hours: string): Promise<void> => {
      const panel = await show(name)
      await showTab(panel, 'Cost', hand)
      await press(panel.getByRole('button', { name: 'End automatically…' }))
      const dialog = window.getByRole('dialog', { name: `End ${name} automatically` })
      await press(dialog.getByRole('radio', { name: action, exact: true }))
      await press(dialog.getByRole('radio', { name: 'After hours', exact: true }))
      await write(dialog.getByLabel('Hours'), hours)
      if (action === 'Delete') await write(dialog.getByLabel(`Type ${name}`), name)
      else
        await press(dialog.getByRole('checkbox', { name: `Look at ${name} over SSH before it is stopped` }))
      await press(dialog.getByRole('button', { name: action === 'Delete' ? 'Arm deletion' : 'Arm stop' }))
      await expect(dialog).toBeHidden()
    }
    /** Arming a rule checks all rules immediately. */
    const check = async (): Promise<void> => {
      const { machines } = await stateOf(service)
      const machine = machines.find(({ name }) => name === third)?.id ?? ''
      const at = Math.floor(await window.evaluate(() => Date.now() / 1_000)) + 864_000
      await askBridge(window, 'endRules.arm', {
        account,
        machine,
        name: third,
        action: 'stop',
        when: { kind: 'at', at },
      })
    }

    await arm(stopped, 'Stop', '1')
    await arm(deleted, 'Delete', '0.75')
    await passTime({ electron, window }, service, 3_540)
    await check()
    await expect(row(stopped)).toContainText(/Stops in/)
    await expect(row(deleted)).toContainText('Not deleted')
    await pictureInBothThemes(electron, window, `A missed end and a countdown, ${way}`)
    // A pause between two checks counts as sleep from 90 seconds on, and pictures take some.
    await check()
    await passTime({ electron, window }, service, 70)
    await check()
    await expect(row(stopped)).toContainText('Stopped', reading)

    const panel = panelOf(window, deleted)
    const notice = panel.getByRole('region', { name: 'Automatic end' })
    await expect(notice).toContainText('The time passed while this computer was asleep')
    expect((await requestsTo(service)).filter((one) => one.startsWith('DELETE '))).toEqual([])
    await press(notice.getByRole('button', { name: 'Extend 1 hour' }))
    await expect(notice).toContainText(/Deleted in/)
    await passTime({ electron, window }, service, 3_560)
    await check()
    await passTime({ electron, window }, service, 70)
    await check()
    // Nothing would be lost on this machine.
    await expect(row(deleted)).toBeHidden(reading)
    await expect
      .poll(async () => (await notifications.shown()).map(({ title }) => title))
      .toEqual(expect.arrayContaining([`${stopped} was stopped`, `${deleted} was deleted`]))
    // The first look, when it was armed, confirmed the host key.
    const ends = (await notifications.shown()).filter(({ title }) => title === `${stopped} was stopped`)
    expect(ends.map(({ body }) => body).join()).toMatch(/ (Found on the machine: |No programs on the GPUs)/)
    const requests = await requestsTo(service)
    expect(requests.filter((one) => one.startsWith('DELETE '))).toHaveLength(1)
    expect(await askBridge(window, 'endRules.list', { account })).toMatchObject([{ name: third }])
  })
