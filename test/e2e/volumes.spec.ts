import { randomUUID } from 'node:crypto'
import { expect, test } from './fixtures'
import { askBridge, selectedAccount } from './support/bridge'
import { requestsTo } from '../fixtures/sandbox-control'
import { pictureInBothThemes } from './support/pictures'
import { openMachine, showTab } from './support/window'
import { enter, openForm, openVolume, openVolumes, panelOf, rows, settle, settling } from './support/volumes'

test('a volume is created, attached, detached and deleted, and each state is followed until it settles', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  await openVolumes(window)
  await pictureInBothThemes(electron, window, 'Volumes')

  const form = await openForm(window)
  await form.getByLabel('Name').fill('fresh-data')
  await form.getByLabel('Region').selectOption({ label: 'Virginia' })
  await form.getByLabel('Size in GB').fill('64')
  await expect(form.getByLabel('Type')).toHaveValue(/.+/)
  await pictureInBothThemes(electron, window, 'Create a volume')
  await form.getByRole('button', { name: 'Create volume' }).click()
  const panel = panelOf(window, 'fresh-data')
  await expect(panel.getByText('Creating')).toBeVisible()
  await settle(service)
  await expect(panel.getByText('Available')).toBeVisible(settling)
  await pictureInBothThemes(electron, window, 'Volume')

  await panel.getByRole('button', { name: 'Attach to a machine' }).click()
  const attaching = window.getByRole('dialog', { name: 'Attach fresh-data' })
  const machines = attaching.getByLabel('Machine')
  await expect(machines.getByRole('option', { name: /Oslo|Paris|Singapore/ })).toHaveCount(0)
  await machines.selectOption({ label: 'train-llama-01 · Virginia' })
  await attaching.getByRole('button', { name: 'Attach' }).click()
  await expect(panel.getByRole('link', { name: 'train-llama-01' })).toBeVisible()
  await settle(service)
  await expect(panel.getByText('In use')).toBeVisible(settling)
  await expect(panel.getByRole('button', { name: 'Delete' })).toBeDisabled()

  await panel.getByRole('button', { name: 'Detach' }).click()
  const detaching = window.getByRole('dialog', { name: 'Detach fresh-data?' })
  await expect(detaching.getByText('Unmount it on train-llama-01 first')).toBeVisible()
  await pictureInBothThemes(electron, window, 'Detach a volume')
  await detaching.getByRole('button', { name: 'Detach' }).click()
  await expect(detaching).toBeHidden()
  await settle(service)
  await expect(panel.getByText('Available')).toBeVisible(settling)

  await panel.getByRole('button', { name: 'Delete' }).click()
  const deleting = window.getByRole('dialog', { name: 'Delete fresh-data?' })
  const confirm = deleting.getByRole('button', { name: 'Delete volume' })
  await deleting.getByLabel('Type fresh-data to confirm').fill('fresh')
  await expect(confirm).toBeDisabled()
  await deleting.getByLabel('Type fresh-data to confirm').fill('fresh-data')
  await pictureInBothThemes(electron, window, 'Delete a volume')
  await confirm.click()
  await expect(deleting).toBeHidden()
  await settle(service)
  await expect(panel).toBeHidden(settling)
  await expect(rows(window).filter({ hasText: 'fresh-data' })).toHaveCount(0)
})

test('a machine takes several volumes at a time, explains unavailable ones, and detaches one by its id', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  await openVolumes(window)
  for (const name of ['first-data', 'second-data']) {
    const form = await openForm(window)
    await form.getByLabel('Name').fill(name)
    await form.getByLabel('Region').selectOption({ label: 'Virginia' })
    await form.getByLabel('Size in GB').fill('10')
    await expect(form.getByLabel('Type')).toHaveValue(/.+/)
    await form.getByRole('button', { name: 'Create volume' }).click()
    await expect(panelOf(window, name)).toBeVisible()
    await settle(service)
    await expect(panelOf(window, name).getByText('Available')).toBeVisible(settling)
  }

  await window.getByRole('link', { name: /^Machines/ }).click()
  const panel = await openMachine(window, 'train-llama-01')
  await showTab(panel, 'Volumes')
  await panel.getByRole('button', { name: 'Attach volumes' }).click()
  const dialog = window.getByRole('dialog', { name: 'Attach volumes to train-llama-01' })
  await dialog.getByRole('checkbox', { name: /^first-data/ }).check()
  await dialog.getByRole('checkbox', { name: /^second-data/ }).check()
  await expect(dialog.getByRole('checkbox', { name: /golden-image|laion-subset/ })).toHaveCount(0)
  await dialog.getByText('Unavailable').click()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'golden-image-us' })).toContainText('bootable')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'laion-subset' })).toContainText('in Singapore')
  await pictureInBothThemes(electron, window, 'Attach volumes')
  await dialog.getByRole('button', { name: 'Attach 2 volumes' }).click()
  await expect(dialog).toBeHidden()
  await settle(service)
  const attached = panel.getByRole('region', { name: 'Attached volumes' }).getByRole('listitem')
  await expect(attached.filter({ hasText: 'In use' })).toHaveCount(2, settling)
  await pictureInBothThemes(electron, window, 'Volumes of a machine')

  // The attachment of older volumes is unknown; their id is reported.
  await window.getByRole('link', { name: /^Volumes/ }).click()
  const old = await openVolume(window, 'pile-tokenized')
  await expect(old.getByText('Attached before Wheelhouse saw it')).toBeVisible()
  const id = await old.locator('dl .mono').last().innerText()
  await window.getByRole('link', { name: /^Machines/ }).click()
  const again = await openMachine(window, 'train-llama-01')
  await showTab(again, 'Volumes')
  await again.getByRole('button', { name: 'Detach by ID' }).click()
  const detaching = window.getByRole('dialog', { name: 'Detach a volume by ID' })
  await detaching.getByLabel('Volume ID').fill(id)
  await detaching.getByRole('button', { name: 'Detach' }).click()
  await expect(detaching).toBeHidden()
  await settle(service)
  await window.getByRole('link', { name: /^Volumes/ }).click()
  await expect((await openVolume(window, 'pile-tokenized')).getByText('Available')).toBeVisible(settling)
})

test('a service without a list of volumes shows the known ones, marks unknown details, and accepts attempts @deep', async ({
  start,
  startService,
}) => {
  const service = await startService({ extensions: false })
  const { electron, window } = await start()
  await enter(window, service)
  await openVolumes(window)
  await expect(window.getByText('The service can’t list volumes.')).toBeVisible()
  await expect(rows(window)).toHaveCount(11)
  await pictureInBothThemes(electron, window, 'Volumes that are not listed')

  const form = await openForm(window)
  await form.getByLabel('Name').fill('typed-type')
  await form.getByLabel('Region').selectOption({ label: 'Virginia' })
  await form.getByLabel('Size in GB').fill('10')
  await expect(form.getByText('we’ll remember it for this region')).toBeVisible()
  await form.getByLabel('Volume type ID').fill('no-such-type')
  await form.getByRole('button', { name: 'Create volume' }).click()
  // The refusal appears at its field.
  await expect(form.getByText('type_id: no such volume type')).toBeVisible()
  await pictureInBothThemes(electron, window, 'A volume type that is typed')
  await form.getByRole('button', { name: 'Cancel' }).click()

  const panel = await openVolume(window, 'scratch-space')
  await expect(panel.getByRole('button', { name: 'Attach to a machine' })).toBeEnabled()
  await expect(panel.getByRole('button', { name: 'Detach' })).toBeEnabled()
  await panel.getByRole('button', { name: 'Attach to a machine' }).click()
  const attaching = window.getByRole('dialog', { name: 'Attach scratch-space' })
  await attaching.getByLabel('Machine').selectOption({ label: 'train-llama-01 · Virginia' })
  await attaching.getByRole('button', { name: 'Attach' }).click()
  await expect(panel.getByRole('link', { name: 'train-llama-01' })).toBeVisible()

  // Deleting is tried, refused as unsupported, and then unavailable.
  const other = await openVolume(window, 'forgotten-backup')
  await other.getByRole('button', { name: 'Delete' }).click()
  const deleting = window.getByRole('dialog', { name: 'Delete forgotten-backup?' })
  await expect(deleting.getByText('The service may refuse to')).toBeVisible()
  await deleting.getByLabel(/^Type forgotten-backup/).fill('forgotten-backup')
  await deleting.getByRole('button', { name: 'Delete volume' }).click()
  await expect(deleting).toContainText('Not supported by this service')
  await deleting.getByRole('button', { name: 'Close' }).last().click()
  await expect(other.getByRole('button', { name: 'Delete' })).toHaveCount(0)
})

test('several volumes are selected by their tags, attached to one machine, and deleted by their number @deep', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  const account = await selectedAccount(window)
  const { items } = await askBridge(window, 'volumes.types', { account, region: 'us-east-1' })
  for (const display_name of ['shard-1', 'shard-2'])
    await askBridge(window, 'volumes.create', {
      account,
      request: randomUUID(),
      again: [],
      volume: { display_name, region_id: 'us-east-1', type_id: items[0]?.id ?? '', size: 10 },
      regionName: 'Virginia',
    })
  await settle(service)
  await openVolumes(window)
  await expect(rows(window).filter({ hasText: 'shard' }).filter({ hasText: 'Available' })).toHaveCount(
    2,
    settling,
  )

  for (const name of ['shard-1', 'shard-2']) {
    const panel = await openVolume(window, name)
    await showTab(panel, 'Notes')
    await panel.getByLabel('Tags', { exact: true }).fill('corpus')
    await panel.getByLabel('Tags', { exact: true }).press('Enter')
    await panel.getByRole('textbox', { name: 'Notes' }).fill('Ada needs it until Friday.')
  }
  await pictureInBothThemes(electron, window, 'Notes of a volume')
  await window.getByRole('button', { name: 'Close the panel' }).click()
  await window.getByLabel('Filter volumes').fill('corpus friday')
  await expect(rows(window)).toHaveCount(2)
  await window.getByRole('grid', { name: 'Volumes' }).focus()
  await window.keyboard.press('Control+A')
  const bar = window.getByRole('toolbar', { name: 'Selected volumes' })
  await expect(bar).toContainText('2 selected')
  await window.getByLabel('Filter volumes').fill('')
  await rows(window).filter({ hasText: 'golden-image-us' }).getByRole('checkbox').click()
  await expect(bar).toContainText('3 selected')
  await pictureInBothThemes(electron, window, 'Several volumes chosen')
  await bar.getByRole('button', { name: 'Attach…' }).click()
  const attaching = window.getByRole('dialog', { name: 'Attach 2 volumes' })
  await expect(attaching).toContainText('Skipped: golden-image-us (bootable)')
  await attaching.getByLabel('Machine').selectOption({ label: 'train-llama-01 · Virginia' })
  await attaching.getByRole('button', { name: 'Attach' }).click()
  await expect(attaching).toBeHidden()
  await settle(service)
  await expect(rows(window).filter({ hasText: 'shard' }).filter({ hasText: 'train-llama-01' })).toHaveCount(
    2,
    settling,
  )

  // Until a later reading shows them in use, they count as changing state.
  await expect(rows(window).filter({ hasText: 'shard' }).filter({ hasText: 'In use' })).toHaveCount(
    2,
    settling,
  )
  await rows(window).filter({ hasText: 'forgotten-backup' }).getByRole('checkbox').click()
  await bar.getByRole('button', { name: 'Delete…' }).click()
  const deleting = window.getByRole('dialog', { name: 'Delete 2 volumes?' })
  await expect(deleting).toContainText('2 skipped: attached (shard-1, shard-2)')
  const confirm = deleting.getByRole('button', { name: 'Delete 2 volumes' })
  await deleting.getByLabel('Type 2 to confirm').fill('3')
  await expect(confirm).toBeDisabled()
  await deleting.getByLabel('Type 2 to confirm').fill('2')
  await pictureInBothThemes(electron, window, 'Delete several volumes')
  await confirm.click()
  const deleted = window.getByRole('dialog', { name: 'Delete 2 volumes: 2 of 2 done' })
  await expect(deleted).toContainText('2 of 2 done')
  await pictureInBothThemes(electron, window, 'What became of several volumes')
  await deleted.getByRole('button', { name: 'Close' }).last().click()
  await settle(service)
  await expect(rows(window).filter({ hasText: 'golden-image-us' })).toHaveCount(0, settling)
  await expect(rows(window).filter({ hasText: 'forgotten-backup' })).toHaveCount(0, settling)
  expect((await requestsTo(service)).filter((one) => one.startsWith('DELETE /volumes/'))).toHaveLength(2)
})

test('a volume in use whose machine is unknown gives the reason, and detaching asks for its machine @deep', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  await openVolumes(window)
  const row = rows(window).filter({ hasText: 'pile-tokenized' })
  await expect(row).toContainText('Attached before Wheelhouse saw it')
  await row.getByRole('checkbox').click()
  await pictureInBothThemes(electron, window, 'Volumes in use by unknown machines')
  const bar = window.getByRole('toolbar', { name: 'Selected volumes' })
  await bar.getByRole('button', { name: 'Detach…' }).click()
  const asking = window.getByRole('dialog', { name: 'Detach pile-tokenized?' })
  await expect(asking).toContainText('Attached before Wheelhouse saw it. Choose its machine')
  const machine = asking.getByLabel('Attached machine')
  await expect(asking.getByRole('button', { name: 'Detach' })).toBeDisabled()
  await pictureInBothThemes(electron, window, 'Detach a volume of an unknown machine')
  await machine.selectOption({ label: 'train-llama-01' })
  await asking.getByRole('button', { name: 'Detach' }).click()
  await expect(asking).toBeHidden()
  await settle(service)
  await expect(row).toContainText('Available', settling)

  // The same with the keyboard, from the palette.
  await window.keyboard.press('Control+K')
  await window.keyboard.type('detach eval-results')
  await expect(window.getByRole('option', { name: /Detach.*eval-results/ })).toBeVisible()
  await window.keyboard.press('Enter')
  const again = window.getByRole('dialog', { name: 'Detach eval-results?' })
  await expect(again.getByLabel('Attached machine')).toBeFocused()
  await window.keyboard.type('eval-nightly')
  await expect(again).toContainText('Unmount it on eval-nightly first')
  await window.keyboard.press('Tab')
  await window.keyboard.press('Tab')
  await window.keyboard.press('Enter')
  await expect(again).toBeHidden()
  await settle(service)
  await expect(panelOf(window, 'eval-results').getByText('Available')).toBeVisible(settling)
})
