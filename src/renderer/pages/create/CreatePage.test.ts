// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import { useRoute } from 'vue-router'
import type { MachineDraft } from '#shared/bridge/creation'
import { mounted } from '../../../../test/gallery/mounted'
import { usd } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import CreatePage from './CreatePage.vue'
import { emptyDraft } from './draft'

const oslo = { id: 'o', name: 'Oslo' }
const dallas = { id: 'd', name: 'DALLAS' }
const flavor = (region: typeof oslo) => ({
  id: `h100@${region.id}`,
  name: 'gpu-8-h100',
  region,
  price: usd(2),
  cpu: 8,
  ram: 64,
  disk: 100,
  ephemeral: 0,
  gpu: 'H100',
  gpuCount: 1,
  bandwidth: null,
  inStock: true,
  cycle: 'hourly' as const,
})

it.each([
  ['flavor of the catalog', { flavor: 'h100@o', region: 'o' }],
  ['machine to copy', { like: 'm-train' }],
])('a form that began with a %s has the typed draft after Back', async (_, query) => {
  let stored: MachineDraft = { ...emptyDraft(), name: 'earlier' }
  const Page = {
    setup() {
      const route = useRoute()
      return () =>
        route.name === 'new-machine' ? h(CreatePage, { kind: 'machine' as const, ...route.query }) : null
    },
  }
  const window = await mounted(() => h(Page), {
    'catalog.regions': () => ({
      asOf: 1,
      items: [oslo, dallas].map((region) => ({ ...region, description: null, flavors: 1, images: 1 })),
    }),
    'catalog.flavors': () => ({ asOf: 1, currencyAssumed: false, items: [flavor(oslo), flavor(dallas)] }),
    'catalog.images': () => ({ asOf: 1, items: [] }),
    'creation.keys': () => [],
    'creation.draft': () => stored,
    'creation.replacedDraft': () => null,
    'creation.keepDraft': ({ draft }) => {
      if (draft) stored = draft
    },
    'volumes.refresh': () => undefined,
  })
  onTestFinished(() => window.unmount())
  const nameField = () => window.field(t('creation.name.label'))
  await window.router.push({ name: 'new-machine', query })
  await window.settled()
  const begun = stored.request
  await window.type(nameField(), 'mine')
  const label = window.all('label').find((each) => each.textContent.startsWith('DALLAS')) ?? expect.fail()
  label.querySelector('input')?.click()
  await window.settled()

  await window.router.push({ name: 'machines' })
  await window.settled()
  expect(window.text()).not.toContain(t('creation.name.label'))
  window.router.back()
  await expect.poll(() => window.router.currentRoute.value.fullPath).toBe('/machines/new')
  await window.settled()
  expect(nameField().value).toBe('mine')
  expect(stored).toMatchObject({ request: begun, name: 'mine', region: 'd' })
})
