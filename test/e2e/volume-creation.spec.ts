import { randomUUID } from 'node:crypto'
import { expect, test } from './fixtures'
import { askBridge, callBridge, machineId, selectedAccount } from './support/bridge'
import { control, requestsTo } from '../fixtures/sandbox-control'
import { pictureInBothThemes } from './support/pictures'
import { enter, openForm, openVolumes, panelOf } from './support/volumes'

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
  await expect(window.getByText('No response, but lost-answer was created')).toBeVisible()
  await expect(panelOf(window, 'lost-answer')).toBeVisible()
  expect((await requestsTo(service)).filter((request) => request === 'POST /volumes')).toHaveLength(1)
})

test('input that the specification forbids is refused while typing, and at the bridge @deep', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  await openVolumes(window)

  const form = await openForm(window)
  await form.getByLabel('Name').fill('x'.repeat(51))
  await expect(form.getByText('Up to 50 characters')).toBeVisible()
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
      account,
      request: randomUUID(),
      again: [],
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
