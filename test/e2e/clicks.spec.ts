import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { requestsTo } from '../fixtures/sandbox-control'
import { expectApart } from './support/narrow'
import { pictureInBothThemes } from './support/pictures'
import type { Sandbox } from './support/sandbox'
import { openForm, openVolume, openVolumes } from './support/volumes'
import { chooseToConnect, connect, machineNames, machineRows, openMachine, showTab } from './support/window'

const triple = { clickCount: 3 }
const sent = async (service: Sandbox) =>
  (await requestsTo(service)).filter((one) => /^(POST|DELETE) |\/(start|stop|reboot)$/.test(one)).slice(1)
const enter = async (window: Page, service: Sandbox): Promise<void> => {
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
}
const rowOf = (window: Page, name: string) =>
  machineRows(window).filter({ has: window.getByText(name, { exact: true }) })

test('a triple click on each button that sends sends once, without effect on the following page @deep', async ({
  start,
  service,
}) => {
  const { window } = await start()
  await enter(window, service)
  const panel = await openMachine(window, 'train-llama-01')
  await panel.getByRole('button', { name: 'Actions for train-llama-01' }).click()
  await window.getByRole('menuitem', { name: 'Reboot…' }).click(triple)
  const asking = window.getByRole('dialog', { name: 'Reboot train-llama-01?' })
  await expect(asking).toBeVisible()
  await asking.getByRole('button', { name: 'Reboot', exact: true }).click(triple)
  await expect(asking).toBeHidden()

  await showTab(panel, 'Firewall')
  await panel.getByRole('button', { name: 'Add rule' }).click(triple)
  const rule = window.getByRole('dialog', { name: 'Add a firewall rule' })
  await rule.getByRole('button', { name: 'SSH from my address' }).click()
  await rule.getByLabel('Your public address').fill('93.184.215.14')
  await rule.getByRole('button', { name: 'Add rule' }).click(triple)
  await expect(rule).toBeHidden()

  await openVolumes(window)
  const volume = await openForm(window)
  await volume.getByLabel('Name').fill('pressed-thrice')
  await volume.getByLabel('Region').selectOption({ label: 'Virginia' })
  await volume.getByLabel('Size in GB').fill('10')
  await expect(volume.getByLabel('Type')).toHaveValue(/.+/)
  await volume.getByRole('button', { name: 'Create volume' }).click(triple)
  await expect(volume).toBeHidden()

  await window.getByRole('link', { name: 'API tokens' }).click()
  await window.getByRole('button', { name: 'Create a token' }).click(triple)
  const token = window.getByRole('dialog', { name: 'Create an API token' })
  await token.getByLabel('Name').fill('thrice')
  await token.getByLabel('Description').fill('Pressed three times')
  await token.getByRole('button', { name: 'Create', exact: true }).click(triple)
  await expect(window.getByRole('dialog', { name: 'thrice created' })).toBeVisible()

  expect((await sent(service)).map((one) => one.replace(/[0-9a-f]{24}/g, 'ID'))).toEqual([
    'GET /virtual-machines/ID/reboot',
    'POST /virtual-machines/ID/firewall-rules',
    'POST /volumes',
    expect.stringMatching(/^POST .*token/),
  ])
})

test('a triple click on start, stop or delete sends it once, for one item and for each of several', async ({
  start,
  service,
}) => {
  const { window } = await start()
  await enter(window, service)
  const namesIn = (state: string) =>
    machineRows(window).filter({ hasText: state }).locator('.name bdi').allInnerTexts()
  const [idle = ''] = await namesIn('Stopped')
  const chosen = (await namesIn('Running')).slice(0, 2)
  for (const name of chosen) await rowOf(window, name).getByRole('checkbox').click()
  const bar = window.getByRole('toolbar', { name: 'Selected machines' })
  await bar.getByRole('button', { name: 'Reboot…' }).click(triple)
  const rebooting = window.getByRole('dialog', { name: /^Reboot/ })
  await rebooting.getByRole('button', { name: 'Reboot', exact: true }).click(triple)
  await expect(rebooting).toContainText('2 of 2 done')
  await rebooting.getByRole('button', { name: 'Close' }).last().click(triple)
  await bar.getByRole('button', { name: 'Delete…' }).click(triple)
  const deleting = window.getByRole('dialog', { name: /^Delete/ })
  await deleting.getByLabel('Type 2 to confirm').fill('2')
  await deleting.getByRole('button', { name: 'Delete', exact: true }).click(triple)
  await expect(deleting).toContainText('2 of 2 done')
  await deleting.getByRole('button', { name: 'Close' }).last().click(triple)
  await expect(bar).toBeHidden()

  const panel = await openMachine(window, idle)
  await panel.getByRole('button', { name: `Actions for ${idle}` }).click()
  await window.getByRole('menuitem', { name: 'Start…' }).click(triple)
  const starting = window.getByRole('dialog', { name: `Start ${idle}?` })
  await starting.getByRole('button', { name: 'Start', exact: true }).click(triple)
  await expect(starting).toBeHidden()

  await openVolumes(window)
  const volume = await openVolume(window, 'forgotten-backup')
  await volume.getByRole('button', { name: 'Delete' }).click(triple)
  const ending = window.getByRole('dialog', { name: 'Delete forgotten-backup?' })
  await ending.getByRole('textbox').fill('forgotten-backup')
  await ending.getByRole('button', { name: 'Delete volume' }).click(triple)
  await expect(ending).toBeHidden()

  await window.getByRole('link', { name: 'API tokens' }).click()
  await window.getByRole('grid', { name: 'API tokens' }).getByText('grafana').click()
  const token = window.getByRole('complementary', { name: 'API token grafana' })
  await token.getByRole('button', { name: 'Delete token' }).click(triple)
  const revoking = window.getByRole('dialog', { name: 'Delete grafana?' })
  await revoking.getByLabel('Type grafana to confirm').fill('grafana')
  await revoking.getByRole('button', { name: 'Delete token' }).click(triple)
  await expect(revoking).toBeHidden()

  const requests = (await sent(service)).map((one) => one.replace(/[0-9a-f]{8,}[0-9a-f-]*/g, 'ID'))
  expect(requests).toEqual([
    'GET /virtual-machines/ID/reboot',
    'GET /virtual-machines/ID/reboot',
    'DELETE /virtual-machines/ID',
    'DELETE /virtual-machines/ID',
    'GET /virtual-machines/ID/start',
    'DELETE /volumes/ID',
    expect.stringMatching(/^DELETE .*token/),
  ])
})

test('the selection follows the filter, its bar moves nothing, and a stopped machine has no SSH @deep', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  const first = machineRows(window).first()
  const before = await first.boundingBox()
  const bar = window.getByRole('toolbar', { name: 'Selected machines' })
  await window.getByRole('grid', { name: 'Machines' }).focus()
  await window.keyboard.press('Control+A')
  await expect(bar).toContainText('12 selected')
  expect(await first.boundingBox()).toEqual(before)
  await window.getByLabel('Filter machines').fill('train')
  const shown = machineRows(window)
  await expect(bar).toContainText(/deselected: hidden by the filter/)
  const count = await shown.count()
  await expect(bar).toContainText(`${String(count)} selected`)
  await pictureInBothThemes(electron, window, 'A selection under a filter')
  await window.getByLabel('Filter machines').fill('')
  await expect(bar).toContainText(`${String(count)} selected`)
  await bar.getByRole('button', { name: 'Stop…' }).click()
  const asking = window.getByRole('dialog', { name: /^Stop \d+ machines\?$/ })
  await expect(asking).toContainText(/You’re still billed [\d.]+ USD\/h/)
  await pictureInBothThemes(electron, window, 'Before several machines are stopped')
  await asking.getByRole('button', { name: 'Cancel' }).click()

  const stopped = machineRows(window).filter({ hasText: 'Stopped' }).first()
  const name = await stopped.locator('.name bdi').innerText()
  await rowOf(window, name).hover()
  await expect(rowOf(window, name).getByRole('button', { name: `Connect to ${name}` })).toHaveCount(0)
  await expect(rowOf(window, name).getByRole('img', { name: 'Stopped. Start it to connect.' })).toBeVisible()
  const panel = await openMachine(window, name)
  await expect(panel.getByRole('button', { name: /^Connect/ })).toBeDisabled()
  await expect(panel.getByText('Stopped. Start it to connect.')).toBeVisible()
  await pictureInBothThemes(electron, window, 'A stopped machine offers no SSH')
  await window.getByRole('grid', { name: 'Machines' }).focus()
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(820, 700))
  await window.keyboard.press('c')
  const toast = window.getByText(`${name}: Stopped. Start it to connect.`)
  // A toast stays while the pointer is over it.
  await toast.hover()
  // In a narrow window it covers only the search field, which a key opens too.
  await expectApart(toast, window.getByRole('button', { name: /^Account: / }))
  await expectApart(toast, window.getByRole('banner').getByText(/USD\/h/))
  await pictureInBothThemes(electron, window, 'A message in a narrow window')
  await window.keyboard.press('Control+K')
  await window.keyboard.type(name)
  await expect(window.getByRole('option', { name: new RegExp(`Connect to ${name}`) })).toHaveCount(0)
})
