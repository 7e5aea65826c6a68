// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { Failure } from '#shared/failure'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, usd } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import CreateVolumeDialog from '../volumes/CreateVolumeDialog.vue'
import CatalogPage from './CatalogPage.vue'

let window: Mounted
afterEach(() => window.unmount())

const oslo = { id: 'o', name: 'Oslo' }
const image = { id: 'u', name: 'Ubuntu', region: oslo, type: null, description: null }
const flavor = {
  id: 'f',
  name: 'h100.1x',
  region: oslo,
  price: usd(2),
  cpu: 8,
  ram: 64,
  disk: 100,
  ephemeral: 0,
  gpu: 'H100',
  gpuCount: 1,
  bandwidth: null,
  inStock: true,
  cycle: 'hourly',
}

it.each([
  ['the catalog', () => h(CatalogPage)],
  ['the form of a volume', () => h(CreateVolumeDialog, { account })],
])('%s shows a notice about missing regions until their list is loaded', async (_, render) => {
  let failure: Failure | undefined = { kind: 'timed-out', host: 'api.example.com', seconds: 30 }
  window = await mounted(render, {
    'catalog.regions': () => ({
      asOf: 1,
      items: [{ ...oslo, description: null, flavors: 0, images: 1 }],
      ...(failure && { failure }),
    }),
    'catalog.flavors': () => ({ asOf: 1, items: [flavor], currencyAssumed: false }),
    'catalog.images': () => ({ asOf: 1, items: [image] }),
    'catalog.look': () => undefined,
  })
  const missing = /Some regions may be missing/
  expect(window.text()).toMatch(missing)
  failure = undefined
  await window.click(t('common.actions.retry'))
  expect(window.text()).not.toMatch(missing)
})
