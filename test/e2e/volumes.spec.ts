import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { askBridge, callBridge, machineId, selectedAccount } from './support/bridge'
import { control, requestsTo } from './support/control'
import { pictureInBothThemes } from './support/pictures'
import type { Sandbox } from './support/sandbox'
import { chooseToConnect, connect, machineNames, openMachine } from './support/window'

// The window shows a state that settled within seconds.
const settling = { timeout: 30_000 }

/** Lets the states of the service settle sooner than they do by themselves. */
const settle = async (service: Sandbox): Promise<void> => {
  await control(service, 'POST', '/clock', { advance: 10 })
}

const rows = (window: Page): Locator =>
  window.getByRole('grid', { name: 'Volumes' }).locator('[role=row][aria-selected]')
const panelOf = (window: Page, volume: string): Locator =>
  window.getByRole('complementary', { name: `Volume ${volume}`, exact: true })

const enter = async (window: Page, service: Sandbox): Promise<void> => {
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
}
const openVolumes = async (window: Page): Promise<void> => {
  await window.getByRole('link', { name: /^Volumes/ }).click()
  await expect(rows(window).first()).toBeVisible()
}
const openVolume = async (window: Page, volume: string): Promise<Locator> => {
  await rows(window)
    .filter({ has: window.getByText(volume, { exact: true }) })
    .click()
  await expect(panelOf(window, volume)).toBeVisible()
  return panelOf(window, volume)
}
const openForm = async (window: Page): Promise<Locator> => {
  await window.getByRole('button', { name: 'Create volume' }).click()
  return window.getByRole('dialog', { name: 'Create a volume' })
}

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

test('a machine takes several volumes at once, says why others are not offered, and lets one go by its id', async ({
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
  await panel.getByRole('tab', { name: 'Volumes' }).click()
  await panel.getByRole('button', { name: 'Attach volumes' }).click()
  const dialog = window.getByRole('dialog', { name: 'Attach volumes to train-llama-01' })
  await dialog.getByRole('checkbox', { name: /^first-data/ }).check()
  await dialog.getByRole('checkbox', { name: /^second-data/ }).check()
  await expect(dialog.getByRole('checkbox', { name: /golden-image|laion-subset/ })).toHaveCount(0)
  await dialog.getByText('Not offered').click()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'golden-image-us' })).toContainText('bootable')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'laion-subset' })).toContainText('in Singapore')
  await pictureInBothThemes(electron, window, 'Attach volumes')
  await dialog.getByRole('button', { name: 'Attach 2 volumes' }).click()
  await expect(dialog).toBeHidden()
  await settle(service)
  const attached = panel.getByRole('region', { name: 'Attached volumes' }).getByRole('listitem')
  await expect(attached.filter({ hasText: 'In use' })).toHaveCount(2, settling)
  await pictureInBothThemes(electron, window, 'Volumes of a machine')

  // Where the volumes of the past are attached is unknown; their id is reported.
  await window.getByRole('link', { name: /^Volumes/ }).click()
  const old = await openVolume(window, 'pile-tokenized')
  await expect(old.getByText('to which machine is unknown')).toBeVisible()
  const id = await old.locator('dl .mono').last().innerText()
  await window.getByRole('link', { name: /^Machines/ }).click()
  const again = await openMachine(window, 'train-llama-01')
  await again.getByRole('tab', { name: 'Volumes' }).click()
  await again.getByRole('button', { name: 'Detach by id' }).click()
  const detaching = window.getByRole('dialog', { name: 'Detach a volume by its id' })
  await detaching.getByLabel('Id of the volume').fill(id)
  await detaching.getByRole('button', { name: 'Detach' }).click()
  await expect(detaching).toBeHidden()
  await settle(service)
  await window.getByRole('link', { name: /^Volumes/ }).click()
  await expect((await openVolume(window, 'pile-tokenized')).getByText('Available')).toBeVisible(settling)
})

test('a service that lists no volumes shows what is known, says what is not, and lets it be tried', async ({
  start,
  startService,
}) => {
  const service = await startService({ extensions: false })
  const { electron, window } = await start()
  await enter(window, service)
  await openVolumes(window)
  await expect(window.getByText('This service does not list its volumes.')).toBeVisible()
  await expect(rows(window)).toHaveCount(11)
  await pictureInBothThemes(electron, window, 'Volumes that are not listed')

  const form = await openForm(window)
  await form.getByLabel('Name').fill('typed-type')
  await form.getByLabel('Region').selectOption({ label: 'Virginia' })
  await form.getByLabel('Size in GB').fill('10')
  await expect(form.getByText('it is remembered for this region')).toBeVisible()
  await form.getByLabel('Id of the volume type').fill('no-such-type')
  await form.getByRole('button', { name: 'Create volume' }).click()
  // The refusal lands at the field it names.
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

  // Deleting is tried, refused as not offered, and then offered no more.
  const other = await openVolume(window, 'forgotten-backup')
  await other.getByRole('button', { name: 'Delete' }).click()
  const deleting = window.getByRole('dialog', { name: 'Delete forgotten-backup?' })
  await expect(deleting.getByText('This service may not offer it')).toBeVisible()
  await deleting.getByLabel(/^Type forgotten-backup/).fill('forgotten-backup')
  await deleting.getByRole('button', { name: 'Delete volume' }).click()
  await expect(deleting).toContainText('Not offered by this service')
  await deleting.getByRole('button', { name: 'Close' }).last().click()
  await expect(other.getByRole('button', { name: 'Delete' })).toHaveCount(0)
})

test('several volumes are chosen: found by their tags, attached to one machine, deleted by their names', async ({
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
      again: false,
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
    await panel.getByRole('tab', { name: 'Notes' }).click()
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
  const bar = window.getByRole('toolbar', { name: 'Chosen volumes' })
  await expect(bar).toContainText('2 selected')
  await window.getByLabel('Filter volumes').fill('')
  await rows(window).filter({ hasText: 'golden-image-us' }).getByRole('checkbox').click()
  await expect(bar).toContainText('3 selected')
  await pictureInBothThemes(electron, window, 'Several volumes chosen')
  await bar.getByRole('button', { name: 'Attach…' }).click()
  const attaching = window.getByRole('dialog', { name: 'Attach 2 volumes' })
  await expect(attaching).toContainText('Left out: golden-image-us (bootable)')
  await attaching.getByLabel('Machine').selectOption({ label: 'train-llama-01 · Virginia' })
  await attaching.getByRole('button', { name: 'Attach' }).click()
  await expect(attaching).toBeHidden()
  await settle(service)
  await expect(rows(window).filter({ hasText: 'shard' }).filter({ hasText: 'train-llama-01' })).toHaveCount(
    2,
    settling,
  )

  await rows(window).filter({ hasText: 'forgotten-backup' }).getByRole('checkbox').click()
  await bar.getByRole('button', { name: 'Delete…' }).click()
  const deleting = window.getByRole('dialog', { name: 'Delete 2 volumes?' })
  await expect(deleting).toContainText('Left out, because attached or changing: shard-1, shard-2')
  const confirm = deleting.getByRole('button', { name: 'Delete 2 volumes' })
  await deleting.getByLabel('Type golden-image-us to confirm').fill('golden-image-us')
  await expect(confirm).toBeDisabled()
  await deleting.getByLabel('Type forgotten-backup to confirm').fill('forgotten-backup')
  await pictureInBothThemes(electron, window, 'Delete several volumes')
  await confirm.click()
  await expect(deleting).toBeHidden()
  await settle(service)
  await expect(rows(window).filter({ hasText: 'golden-image-us' })).toHaveCount(0, settling)
  await expect(rows(window).filter({ hasText: 'forgotten-backup' })).toHaveCount(0, settling)
  expect((await requestsTo(service)).filter((one) => one.startsWith('DELETE /volumes/'))).toHaveLength(2)
})

test('a volume whose creation got no answer is found, and was sent once', async ({ start, service }) => {
  const { window } = await start()
  await enter(window, service)
  await openVolumes(window)
  await control(service, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'POST', path: '/volumes' })
  const form = await openForm(window)
  await form.getByLabel('Name').fill('lost-answer')
  await form.getByLabel('Region').selectOption({ label: 'Virginia' })
  await form.getByLabel('Size in GB').fill('10')
  await expect(form.getByLabel('Type')).toHaveValue(/.+/)
  await form.getByRole('button', { name: 'Create volume' }).click()
  await expect(window.getByText('No answer came, but lost-answer was created')).toBeVisible()
  await expect(panelOf(window, 'lost-answer')).toBeVisible()
  expect((await requestsTo(service)).filter((request) => request === 'POST /volumes')).toHaveLength(1)
})

test('what the specification refuses is refused while one types, and straight at the bridge', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  await openVolumes(window)

  const form = await openForm(window)
  await form.getByLabel('Name').fill('x'.repeat(51))
  await expect(form.getByText('At most 50 characters.')).toBeVisible()
  for (const size of ['0', '1048577', '1.5', 'ten']) {
    await form.getByLabel('Size in GB').fill(size)
    await expect(form.getByLabel('Size in GB')).toHaveAttribute('aria-invalid', 'true')
  }
  await pictureInBothThemes(electron, window, 'A volume that cannot be')
  await form.getByRole('button', { name: 'Create volume' }).click()
  await expect(form.getByText('Required')).toHaveCount(2)
  await form.getByRole('button', { name: 'Cancel' }).click()
  expect(await requestsTo(service)).not.toContain('POST /volumes')

  const account = await selectedAccount(window)
  const { volumes } = await askBridge(window, 'volumes.snapshot', { account })
  const idOf = (name: string) => volumes.find(({ displayName }) => displayName === name)?.id ?? ''
  const { items } = await askBridge(window, 'volumes.types', { account, region: 'us-east-1' })
  const wanted = { display_name: 'a', region_id: 'us-east-1', type_id: items[0]?.id, size: 10 }
  const create = (changes: object) =>
    callBridge(window, 'volumes.create', {
      ...{ account, request: randomUUID(), again: false },
      volume: { ...wanted, ...changes },
      regionName: null,
    })
  for (const [field, value] of [
    ['display_name', 'x'.repeat(51)],
    ['display_name', ''],
    ['size', 0],
    ['size', 1_048_577],
    ['size', 1.5],
  ] as const) {
    expect(await create({ [field]: value })).toMatchObject({
      ok: false,
      failure: { kind: 'invalid-input', field: `volume.${field}` },
    })
  }
  const refused = (field: string) => ({ ok: false, failure: { kind: 'refused-by-service', field } })
  expect(await create({ region_id: 'nowhere' })).toMatchObject(refused('region_id'))
  expect(await create({ region_id: 'eu-west-1' })).toMatchObject(refused('type_id'))
  expect(await create({ image_id: 'no-such-image' })).toMatchObject(refused('image_id'))

  const machine = await machineId(window, 'train-llama-01')
  const attach = (volume: string) =>
    callBridge(window, 'volumes.attach', { account, machine, volumes: [idOf(volume)] })
  expect(await attach('golden-image-us')).toMatchObject(refused('volume_ids'))
  expect(await attach('laion-subset')).toMatchObject(refused('volume_ids'))
  expect(await callBridge(window, 'volumes.attach', { account, machine, volumes: [] })).toMatchObject({
    ok: false,
    failure: { kind: 'invalid-input', field: 'volumes' },
  })
  expect(
    await callBridge(window, 'volumes.detach', { account, machine, volume: idOf('scratch-space') }),
  ).toMatchObject({ ok: false, failure: { kind: 'refused-by-service', status: 404 } })
})
