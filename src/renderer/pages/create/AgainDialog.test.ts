// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { FlavorView } from '#shared/bridge/catalog'
import type { Creation } from '#shared/bridge/creation'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import AgainDialog from './AgainDialog.vue'

let window: Mounted
afterEach(() => window.unmount())
const oslo = { id: 'o', name: 'Oslo' }
const sentAt = Math.floor(Date.now() / 1000) - 7_270
const nameless = t('creation.nameUnknown')

it('an earlier creation without a known name shows its age, flavor, region and price', async () => {
  const flavor: FlavorView = {
    id: 'f1',
    name: 'h100.1x',
    region: oslo,
    price: { currency: 'EUR', millionths: 2_100_000 },
    cpu: 8,
    ram: 64,
    disk: 100,
    ephemeral: null,
    gpu: 'H100',
    gpuCount: 1,
    bandwidth: null,
    inStock: true,
    cycle: 'hourly',
  }
  const earlier: Creation = {
    id: 'c1',
    request: 'r1',
    account,
    kind: 'machine',
    name: nameless,
    flavor: 'f1',
    sentAt,
    cause: null,
    state: { kind: 'unknown' },
    connect: 'none',
    services: 'none',
    usualSeconds: null,
    link: null,
  }
  window = await mounted(() => h(AgainDialog, { earlier: [earlier], flavors: [flavor] }))
  const text = window.find('dialog li').textContent
  for (const known of ['2 h', 'h100.1x', 'Oslo', '2.10 EUR']) expect(text).toContain(known)
})
