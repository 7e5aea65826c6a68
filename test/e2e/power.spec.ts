import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { callBridge, selectedAccount } from './support/bridge'
import { control, requestsTo, stateOf } from '../fixtures/sandbox-control'
import { pictureInBothThemes, pictureOfWindow } from './support/pictures'
import type { Sandbox } from './support/sandbox'
import { chooseToConnect, connect, machineNames, machineRows, openMachine, panelOf } from './support/window'

// The window shows the end of a transition a little later: the list is read every few seconds during one.
const settling = { timeout: 30_000 }

const enter = async (window: Page, service: Sandbox): Promise<readonly string[]> => {
  await chooseToConnect(window)
  await connect(window, service)
  return machineNames(window)
}
const rowOf = (window: Page, machine: string) =>
  machineRows(window).filter({ has: window.getByText(machine, { exact: true }) })
/** Names of the machines in a state, from the list. */
const namesIn = async (window: Page, state: string): Promise<readonly string[]> => {
  await machineNames(window)
  return machineRows(window).filter({ hasText: state }).locator('.name bdi').allInnerTexts()
}
const pass = (service: Sandbox, seconds: number) => control(service, 'POST', '/clock', { advance: seconds })
const powerCalls = async (service: Sandbox) =>
  (await requestsTo(service)).filter((one) => /^DELETE |\/(start|stop|reboot)$/.test(one))
const must = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('the seeded world lacks what this test needs')
  return value
}

test('a machine is stopped, started and deleted, each only after a confirmation', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  const [name = ''] = await namesIn(window, 'Running')
  const id = must((await stateOf(service)).machines.find((machine) => machine.name === name)).id
  const panel = await openMachine(window, name)
  const menu = window.getByRole('menu')

  await panel.getByRole('button', { name: `Actions for ${name}` }).click()
  await expect(menu.getByRole('menuitem', { name: /^Start/ })).toHaveAttribute('aria-disabled', 'true')
  await pictureInBothThemes(electron, window, 'Menu of a machine')
  await menu.getByRole('menuitem', { name: 'Stop…' }).click()
  const asking = window.getByRole('dialog', { name: `Stop ${name}?` })
  await expect(asking).toContainText('You’re still billed while it’s stopped')
  await expect(asking).toContainText('The service may refuse to')
  await pictureInBothThemes(electron, window, 'Before a machine is stopped')
  await asking.getByRole('button', { name: 'Cancel' }).click()
  expect(await powerCalls(service)).toEqual([])

  await panel.getByRole('button', { name: `Actions for ${name}` }).click()
  await menu.getByRole('menuitem', { name: 'Stop…' }).click()
  await asking.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(asking).toBeHidden()
  await expect(panel.getByText('Stopping', { exact: true })).toBeVisible(settling)
  await pass(service, 10)
  await expect(panel.getByText('Stopped', { exact: true })).toBeVisible(settling)

  await rowOf(window, name).hover()
  await rowOf(window, name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click()
  await menu.getByRole('menuitem', { name: 'Start…' }).click()
  const starting = window.getByRole('dialog', { name: `Start ${name}?` })
  // The session was renewed a moment ago.
  await expect(starting).not.toContainText('The service may refuse to')
  await starting.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(panel.getByText('Starting')).toBeVisible(settling)
  expect(await powerCalls(service)).toEqual([
    `GET /virtual-machines/${id}/stop`,
    `GET /virtual-machines/${id}/start`,
  ])

  await rowOf(window, name).click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Delete…' }).click()
  const deleting = window.getByRole('dialog', { name: `Delete ${name}?` })
  await expect(deleting).toContainText('permanently deleted')
  const doDelete = deleting.getByRole('button', { name: 'Delete', exact: true })
  await expect(doDelete).toBeDisabled()
  await deleting.getByLabel(`Type ${name}`).fill(`${name}x`)
  await expect(doDelete).toBeDisabled()
  await deleting.getByLabel(`Type ${name}`).fill(name)
  await pictureInBothThemes(electron, window, 'Before a machine is deleted')
  // The toast stays for seconds, which a click may take on a busy computer.
  await Promise.all([expect(window.getByText(`${name} deleted`)).toBeVisible(), doDelete.click()])
  await expect(rowOf(window, name)).toHaveCount(0, settling)
  await expect(panelOf(window, name)).toHaveCount(0)
  expect((await powerCalls(service)).at(-1)).toBe(`DELETE /virtual-machines/${id}`)
})

test('several machines are selected by mouse and by keyboard, and each shows its outcome', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  const [first = '', second = '', third = ''] = await namesIn(window, 'Running')
  const [idle = ''] = await namesIn(window, 'Stopped')
  const bar = window.getByRole('toolbar', { name: 'Selected machines' })

  await window.getByRole('grid', { name: 'Machines' }).focus()
  await window.keyboard.press('Control+A')
  await expect(bar).toContainText('12 selected')
  await window.keyboard.press('Escape')
  await expect(bar).toBeHidden()
  await window.keyboard.press('Home')
  await window.keyboard.press('Space')
  await window.keyboard.press('Shift+ArrowDown')
  await window.keyboard.press('Shift+ArrowDown')
  await expect(bar).toContainText('3 selected')
  await window.keyboard.press('Escape')

  for (const name of [first, second, third, idle]) await rowOf(window, name).getByRole('checkbox').click()
  await expect(bar).toContainText('4 selected')
  await pictureInBothThemes(electron, window, 'Several machines chosen')
  // One answer is lost, one machine is refused; the rest are still sent.
  const ids = (await stateOf(service)).machines
  const idOf = (name: string) => must(ids.find((machine) => machine.name === name)).id
  await control(service, 'POST', '/faults', { kind: 'drop', when: 'after', path: `${idOf(first)}/reboot` })
  await control(service, 'POST', '/faults', {
    kind: 'status',
    status: 409,
    path: `${idOf(second)}/reboot`,
    body: JSON.stringify({ status: false, message: 'maintenance until 18:00' }),
  })
  await bar.getByRole('button', { name: 'Reboot…' }).click()
  const dialog = window.getByRole('dialog', { name: /^Reboot/ })
  await expect(dialog).toContainText('Reboot 3 machines?')
  await expect(dialog).toContainText(`1 skipped: not running (${idle})`)
  await dialog.getByRole('button', { name: 'Reboot', exact: true }).click()
  await expect(dialog).toContainText('1 of 3 done')
  const line = (name: string) => dialog.getByRole('listitem').filter({ hasText: name })
  await expect(line(first)).toContainText('It may have worked')
  await expect(line(second)).toContainText('maintenance until 18:00')
  await expect(line(third)).toContainText('Done')
  await pictureInBothThemes(electron, window, 'What became of each machine')
  expect(await powerCalls(service)).toHaveLength(3)
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  // Deleting several asks for their number.
  await rowOf(window, idle).getByRole('checkbox').click()
  await rowOf(window, second).getByRole('checkbox').click()
  await bar.getByRole('button', { name: 'Delete…' }).click()
  const deleting = window.getByRole('dialog', { name: 'Delete 2 machines?' })
  const doDelete = deleting.getByRole('button', { name: 'Delete', exact: true })
  await expect(deleting).toContainText(first)
  await expect(deleting).toContainText(third)
  await deleting.getByLabel('Type 2 to confirm').fill('1')
  await expect(doDelete).toBeDisabled()
  await deleting.getByLabel('Type 2 to confirm').fill('2')
  await doDelete.click()
  await expect(window.getByRole('dialog')).toContainText('2 of 2 done')
  const deleted = window.getByRole('dialog', { name: 'Delete: 2 of 2 done' })
  await deleted.getByRole('button', { name: 'Close' }).last().click()
  await expect(rowOf(window, first)).toHaveCount(0, settling)
  await expect(rowOf(window, third)).toHaveCount(0, settling)
  await expect(bar).toBeHidden()
})

test('the menu, the question and its answer work by keyboard only @deep', async ({ start, service }) => {
  const { window } = await start()
  const names = await enter(window, service)
  const [name = ''] = await namesIn(window, 'Running')
  await window.getByRole('grid', { name: 'Machines' }).focus()
  await window.keyboard.press('Home')
  for (let step = names.indexOf(name); step > 0; step -= 1) await window.keyboard.press('ArrowDown')
  await window.keyboard.press('m')
  await expect(window.getByRole('menu')).toBeVisible()
  await expect(window.getByRole('menuitem').first()).toBeFocused()
  await window.keyboard.press('End')
  await window.keyboard.press('ArrowUp')
  await expect(window.getByRole('menuitem', { name: 'Reboot…' })).toBeFocused()
  await window.keyboard.press('Escape')
  await expect(window.getByRole('menu')).toBeHidden()
  await expect(window.getByRole('grid', { name: 'Machines' })).toBeFocused()
  await window.keyboard.press('Shift+F10')
  await window.keyboard.press('End')
  await window.keyboard.press('ArrowUp')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('dialog', { name: `Reboot ${name}?` })).toBeVisible()
  await window.keyboard.press('Enter')
  await expect(rowOf(window, name)).toContainText('Rebooting', settling)
  expect(await powerCalls(service)).toHaveLength(1)
})

test('unsupported actions are reported after the first attempt, and nothing breaks @deep', async ({
  start,
  startService,
}) => {
  const service = await startService({ extensions: false })
  const { electron, window } = await start()
  await enter(window, service)
  const [name = ''] = await namesIn(window, 'Running')
  const panel = await openMachine(window, name)
  const menu = window.getByRole('menu')
  const actions = panel.getByRole('button', { name: `Actions for ${name}` })
  await actions.click()
  await menu.getByRole('menuitem', { name: 'Reboot…' }).click()
  const dialog = window.getByRole('dialog', { name: `Reboot ${name}?` })
  await expect(dialog).toContainText('The service may refuse to')
  await dialog.getByRole('button', { name: 'Reboot', exact: true }).click()
  await expect(dialog).toContainText('Not supported by this service')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await actions.click()
  for (const action of ['Start…', 'Stop…', 'Reboot…']) {
    const item = menu.getByRole('menuitem', { name: action })
    await expect(item).toHaveAttribute('aria-disabled', 'true')
    await expect(item).toContainText('Not supported by this service')
  }
  await pictureInBothThemes(electron, window, 'A service without power')
  await menu.getByRole('menuitem', { name: 'Delete…' }).click()
  const deleting = window.getByRole('dialog', { name: `Delete ${name}?` })
  await deleting.getByLabel(`Type ${name}`).fill(name)
  await deleting.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(deleting).toContainText('Not supported by this service')
  await deleting.getByRole('button', { name: 'Close' }).last().click()
  await expect(panel.getByText('Running', { exact: true })).toBeVisible()
  expect(await powerCalls(service)).toHaveLength(2)
})

test('a machine deleted elsewhere is reported, and the bridge checks its name too @deep', async ({
  start,
  service,
}) => {
  const { window } = await start()
  await enter(window, service)
  const [name = '', other = ''] = await namesIn(window, 'Running')
  const machines = (await stateOf(service)).machines
  const { id } = must(machines.find((machine) => machine.name === name))
  const account = await selectedAccount(window)
  for (const wrong of ['', other])
    expect(await callBridge(window, 'machine.delete', { account, machine: id, name: wrong })).toEqual({
      ok: false,
      failure: { kind: 'invalid-input', field: 'name', reason: 'not-the-name' },
    })
  expect(await powerCalls(service)).toEqual([])

  await control(service, 'DELETE', `/resources/${id}`)
  await expect(window.getByText(`${name} no longer exists at the service`)).toBeVisible(settling)
  await pictureOfWindow(window, 'A machine went by itself')
  await expect(rowOf(window, name)).toHaveCount(0)
})
