import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { control, stateOf } from '../fixtures/sandbox-control'
import { violations } from './support/accessibility'
import { askBridge, selectedAccount } from './support/bridge'
import { byKeyboard, byMouse, type Hand } from './support/hand'
import { orderMachine } from './support/machine-day'
import { expectApart, resize } from './support/narrow'
import { catchNotifications } from './support/notifications'
import { pictureInBothThemes, pictureOfWindow } from './support/pictures'
import type { Sandbox } from './support/sandbox'
import {
  chooseTerminal,
  chooseToConnect,
  connect,
  machineNames,
  machineRows,
  openPage,
} from './support/window'

test.use({ needs: ['ssh'] })

// The list is read every few seconds, and SSH is tried again after up to 12 seconds at first.
const settling = { timeout: 60_000 }
const machine = 'early-bird'

const pass = (service: Sandbox, seconds: number) => control(service, 'POST', '/clock', { advance: seconds })
const creations = (window: Page) => window.getByRole('list', { name: 'In progress' })
const action = (window: Page, name: string) => creations(window).getByRole('button', { name, exact: true })

/** Signed in, with a clock that only the test moves, the machines' port, and terminals in the window. */
async function enter(window: Page, service: Sandbox): Promise<string> {
  await control(service, 'POST', '/clock', { held: true })
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
  const account = await selectedAccount(window)
  await askBridge(window, 'ssh.configureAccount', { account, port: service.sshPort })
  await chooseTerminal(window, /^Wheelhouse/)
  return account
}

for (const { way, handOf } of [
  { way: 'by mouse', handOf: (): Hand => byMouse },
  { way: 'by keyboard', handOf: byKeyboard },
])
  test(`a terminal opens when SSH answers on a new machine, ${way}${way === 'by keyboard' ? '' : ' @deep'}`, async ({
    start,
    service,
  }) => {
    const { electron, window } = await start()
    const account = await enter(window, service)
    await askBridge(window, 'ssh.setConsents', { account, machine: null, answers: { startup: true } })
    const notifications = await catchNotifications(electron)
    const hand = handOf(window)
    const panel = await orderMachine({ window, hand, machine })
    await hand.press(panel.getByRole('button', { name: 'Close the panel' }))
    await hand.press(action(window, 'Connect when ready'))
    await expect(action(window, 'Don’t connect')).toBeFocused()
    await expect(creations(window)).toContainText('A terminal opens as soon as SSH answers.')
    await expectApart(creations(window), machineRows(window).first())
    await pictureInBothThemes(electron, window, `Creating, connects when ready, ${way}`)

    await pass(service, 91)
    await expect(creations(window)).toContainText(`${machine} is booting`, settling)
    await expect(creations(window)).toContainText('SSH doesn’t answer yet (ECONNREFUSED)', settling)
    await pictureInBothThemes(electron, window, `Booting, ${way}`)
    await resize(electron, [1000, 700])
    await pictureOfWindow(window, `Booting, narrow, ${way}`)
    await resize(electron, [1440, 900])

    await hand.press(window.getByRole('link', { name: 'Overview' }))
    await pass(service, 26)
    const screen = window.getByRole('tabpanel', { name: `Terminal of ${machine}` })
    await expect(screen.locator('textarea')).toBeFocused(settling)
    await openPage(window, 'Machines')
    await expect(creations(window)).toContainText(`${machine} is being set up`)
    await pictureInBothThemes(electron, window, `Being set up, ${way}`)
    await pass(service, 21)
    await expect(creations(window)).toContainText(`${machine} is ready`, settling)
    await expect(creations(window)).toContainText('SSH answers, and its set-up is done.')
    await pictureInBothThemes(electron, window, `Ready, ${way}`)
    expect(await violations(electron, window)).toEqual([])
    // The terminal and the list report it.
    expect((await notifications.shown()).filter(({ title }) => title.includes(machine))).toEqual([])
    await openPage(window, 'Terminals')
    await expect(window.getByRole('tab', { name: new RegExp(machine) })).toHaveCount(1)
  })

for (const { way, handOf } of [
  { way: 'by mouse @deep', handOf: (): Hand => byMouse },
  { way: 'by keyboard', handOf: byKeyboard },
])
  test(`the log of a set-up is followed, its failure shows the last lines, and its services open, ${way}`, async ({
    start,
    service,
  }) => {
    const { electron, window } = await start()
    const account = await enter(window, service)
    await askBridge(window, 'ssh.setConsents', {
      account,
      machine: null,
      answers: { startup: true, services: true },
    })
    const hand = handOf(window)
    const panel = await orderMachine({ window, hand, machine })
    await hand.press(panel.getByRole('button', { name: 'Close the panel' }))
    await hand.press(action(window, 'Open services when ready'))
    await expect(action(window, 'Don’t open services')).toBeFocused()
    const created = (await stateOf(service)).machines.find(({ name }) => name === machine)
    const setUp = (state: string, log: string) =>
      control(service, 'PUT', `/machines/${created?.id ?? ''}/set-up`, { setUp: { state, log } })
    const row = machineRows(window).filter({ hasText: machine })

    await setUp('not started', '')
    await pass(service, 91)
    await expect(row).toContainText('Booting', settling)
    await pass(service, 26)
    await expect(row).toContainText('SSH answers', settling)
    await setUp('running', 'Get:1 http://archive.ubuntu.com/ubuntu noble InRelease [256 kB]\n')
    await expect(row).toContainText('Being set up', settling)
    await hand.press(action(window, 'Show log'))
    await expect(creations(window)).toContainText('noble InRelease')
    const log = '\u001B[31m+ pip install torch\u001B[0m\nERROR: No matching distribution found for torch\n'
    await setUp('running', log)
    await expect(creations(window)).toContainText('No matching distribution', settling)
    await expect(creations(window)).not.toContainText('[31m')
    await pictureInBothThemes(electron, window, `Log of a set-up, ${way}`)
    await resize(electron, [1000, 700])
    await pictureOfWindow(window, `Log of a set-up, narrow, ${way}`)
    await resize(electron, [1440, 900])

    await setUp('error', `${log}Runparts: 1 failures (part-001) in 1 attempted commands\n`)
    await expect(window.getByRole('tab', { name: 'Services', selected: true })).toBeVisible(settling)
    await hand.press(window.getByRole('button', { name: 'Close the panel' }))
    await expect(creations(window)).toContainText(`${machine} is running, but its set-up failed`)
    await expect(creations(window)).toContainText('Runparts: 1 failures (part-001)')
    await expect(row).toContainText('Running')
    await pictureInBothThemes(electron, window, `Set-up failed, ${way}`)
    expect(await violations(electron, window)).toEqual([])
    await hand.press(action(window, 'Hide log'))
    await expect(action(window, 'Show log')).toBeFocused()
  })

test('without consent a new machine is checked by one click, and a wish ends with a deleted machine', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  await orderMachine({ window, hand: byMouse, machine })
  await pass(service, 91)
  await expect(creations(window)).toContainText(`${machine} is running`, settling)
  await expect(creations(window)).toContainText('hasn’t checked whether SSH answers')
  await pictureInBothThemes(electron, window, 'Running, not checked')
  await action(window, 'Check SSH').click()
  await expect(creations(window)).toContainText(`${machine} is booting`)

  // The wish is cancelled and made again.
  await action(window, 'Connect when ready').click()
  await action(window, 'Don’t connect').click()
  await action(window, 'Connect when ready').click()
  const created = (await stateOf(service)).machines.find(({ name }) => name === machine)
  await control(service, 'DELETE', `/resources/${created?.id ?? ''}`)
  await expect(creations(window)).toContainText(`${machine} was deleted`, settling)
  await expect(creations(window)).toContainText('No terminal was opened.')
  await pictureInBothThemes(electron, window, 'Deleted before it was ready')
  await action(window, 'Dismiss').click()
  await expect(creations(window)).toBeHidden()
})

test('a failed creation keeps its reason until it is dismissed @deep', async ({ start, service }) => {
  const first = await start()
  await enter(first.window, service)
  await orderMachine({ window: first.window, hand: byMouse, machine })
  await action(first.window, 'Connect when ready').click()
  const created = (await stateOf(service)).machines.find(({ name }) => name === machine)
  await control(service, 'PUT', `/machines/${created?.id ?? ''}/status`, { status: 'error' })
  await expect(creations(first.window)).toContainText(`${machine} failed to start`, settling)
  await expect(creations(first.window)).toContainText('No terminal was opened.')
  await pictureInBothThemes(first.electron, first.window, 'Creation failed')
  await first.quit()
  const { window } = await start()
  await expect(creations(window)).toContainText('The service reports “error”.', settling)
  await action(window, 'Create again…').click()
  await expect(window.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(/^early-bird/)
})
