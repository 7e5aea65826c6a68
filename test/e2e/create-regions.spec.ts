import { randomUUID } from 'node:crypto'
import { expect, test } from './fixtures'
import { askBridge, selectedAccount } from './support/bridge'
import { requestsTo, stateOf } from '../fixtures/sandbox-control'
import { pictureInBothThemes } from './support/pictures'
import { publicKey } from './support/public-key'
import { chooseToConnect, connect, machineNames } from './support/window'

// bridge-refusals.spec.ts tries the same without a form.
test('no machine is created from an image or a bootable volume of another region @deep', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
  const account = await selectedAccount(window)
  const before = (await stateOf(service)).machines.length
  const posts = async () =>
    (await requestsTo(service)).filter((request) => request === 'POST /virtual-machines').length
  const send = window.getByRole('button', { name: 'Create machine' })
  const image = window.getByRole('combobox', { name: 'Image' })

  // The image of a saved draft may be in another region by now.
  const images = (await askBridge(window, 'catalog.images', { account, kind: 'machine' })).items
  const foreign = images.find(({ region }) => region.id === 'us-east-1')
  const regions = (await askBridge(window, 'catalog.regions', { account, kind: 'machine' })).items
  const oslo = regions.find(({ name }) => name === 'Oslo')
  const flavors = (await askBridge(window, 'catalog.flavors', { account, kind: 'machine' })).items
  const flavor = flavors.find(({ region, name }) => region.id === oslo?.id && name === 'h100-80g.2x')
  await askBridge(window, 'creation.keepDraft', {
    account,
    kind: 'machine',
    draft: {
      request: randomUUID(),
      name: 'border-crosser',
      region: oslo?.id ?? null,
      flavor: flavor?.id ?? null,
      boot: 'image',
      image: foreign?.id ?? null,
      volume: '',
      initScript: '',
      key: 'pasted',
      keyFile: null,
      pastedKey: publicKey,
    },
  })
  await window.getByRole('button', { name: 'New machine' }).click()
  await expect(window.getByRole('radio', { name: /^Oslo/ })).toBeChecked()
  await send.click()
  await expect(window.getByRole('alert').filter({ hasText: 'Choose an image.' }).first()).toBeVisible()
  const here = images.filter(({ region }) => region.id === oslo?.id).map(({ name }) => name)
  expect((await image.getByRole('option').allInnerTexts()).slice(1).sort()).toEqual(here.sort())
  expect(await posts()).toBe(0)

  // Only the region's bootable volumes are listed; other names can be typed.
  await window.getByRole('radio', { name: 'An existing bootable volume' }).click()
  const offered = window.getByRole('combobox', { name: 'Bootable volumes in this region' })
  await expect(offered.getByRole('option', { name: /golden-image-us/ })).toHaveCount(0)
  await expect(offered.getByRole('option', { name: /golden-image/ })).toHaveCount(1)
  const { volumes } = await askBridge(window, 'volumes.snapshot', { account })
  const other = volumes.find(({ displayName }) => displayName === 'golden-image-us')
  const field = window.getByLabel('Generated volume name')
  await field.fill(other?.name ?? '')
  await send.click()
  // The form predicts the service's refusal.
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(window.getByText('This volume is in another region.').first()).toBeVisible()
  await pictureInBothThemes(electron, window, 'A bootable volume of another region')
  expect(await posts()).toBe(0)
  expect((await stateOf(service)).machines).toHaveLength(before)
  // Certainly nothing was created, so nothing is followed.
  await expect(window.getByRole('list', { name: 'In progress' })).toHaveCount(0)
})
