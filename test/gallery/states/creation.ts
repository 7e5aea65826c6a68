import { h } from 'vue'
import type { FlavorView, ImageView } from '#shared/bridge/catalog'
import type { PublicKeyView } from '#shared/bridge/creation'
import type { Handlers } from '#shared/bridge/index'
import CostSummary from '../../../src/renderer/pages/create/CostSummary.vue'
import CreateForm from '../../../src/renderer/pages/create/CreateForm.vue'
import FlavorChoice from '../../../src/renderer/pages/create/FlavorChoice.vue'
import { gpuGroups, placesOf } from '../../../src/renderer/pages/create/gpu-groups'
import RegionChoice from '../../../src/renderer/pages/create/RegionChoice.vue'
import { entry, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, now, usd } from '../world'

const oslo = { id: 'o', name: 'Oslo' }
const dallas = { id: 'd', name: 'DALLAS' }
const regions = [oslo, dallas]
const flavor = (name: string, changes: Partial<FlavorView> = {}): FlavorView => ({
  id: `${name}@${changes.region?.id ?? 'o'}`,
  name,
  region: oslo,
  price: usd(2.49),
  cpu: 24,
  ram: 192,
  disk: 100,
  ephemeral: 750,
  gpu: 'NVIDIA H100 80GB SXM',
  gpuCount: 1,
  bandwidth: null,
  inStock: true,
  cycle: 'hourly',
  ...changes,
})
const usual: readonly FlavorView[] = [
  flavor('h100.1x', { gpu: 'H100' }),
  flavor('h100.1x', { gpu: 'H100', region: dallas, price: usd(2.2) }),
  flavor('h100.8x', { gpuCount: 8, price: usd(19.92), inStock: false }),
  flavor('l40s.1x', { gpu: 'NVIDIA L40S 48GB', price: usd(0.9), inStock: null }),
  flavor('b200.8x', { gpu: 'NVIDIA B200 180GB', gpuCount: 8, price: usd(38.4), inStock: false }),
  flavor('cpu-16', { gpu: null, gpuCount: 0, price: null }),
]
const many = Array.from({ length: 200 }, (_, at) =>
  flavor(`flavor-${String(at)}`, {
    gpu: `NVIDIA G${String(100 + (at % 23))} 80GB`,
    gpuCount: 1 + (at % 8),
    price: usd(1 + (at % 50)),
    inStock: at % 3 > 0,
  }),
)
/** A service that reports neither GPU nor stock nor region. */
const bare = ['s-1', 's-2', 's-3'].map((name) =>
  flavor(name, { gpu: null, gpuCount: null, inStock: null, region: { id: null, name: null } }),
)
const hostile = [texts.long, texts.html, texts.rtl].map((gpu) => flavor(gpu, { gpu, price: null }))

const choose =
  (flavors: readonly FlavorView[], chosen: string | null = null, invalid = false) =>
  () => {
    const groups = gpuGroups(flavors)
    const sizes = groups.flatMap((group) => group.sizes)
    const modelValue = sizes.find(({ best }) => best.name === chosen)?.key ?? null
    return h(FlavorChoice, { groups, kind: 'machine', invalid, modelValue })
  }
const places =
  (offers: readonly FlavorView[], modelValue: string | null = 'd', invalid = false) =>
  () =>
    h(RegionChoice, { places: placesOf({ offers }, regions), modelValue, invalid })
const cost = (changes: object) => () =>
  h(CostSummary, { flavor: flavor('h100.1x'), currencyAssumed: false, ...changes })

const image = (name: string, region = oslo): ImageView => ({
  id: `${name}@${region.id}`,
  name,
  region,
  type: null,
  description: null,
})
const key: PublicKeyView = {
  path: '/home/anna/.ssh/lab.pub',
  type: 'ssh-ed25519',
  comment: 'anna@lab',
  publicKey: 'ssh-ed25519 AAAA anna@lab',
  identityFile: '/home/anna/.ssh/lab',
}
const form = (flavors: readonly FlavorView[], named = regions, act?: GalleryState['act']): GalleryState => ({
  render: () => h(CreateForm, { account, kind: 'machine' }),
  width: 1100,
  height: 720,
  handlers: {
    'catalog.regions': () => ({
      asOf: now,
      items: named.map((region) => ({ ...region, description: null, flavors: 2, images: 2 })),
    }),
    'catalog.flavors': () => ({ asOf: now, items: [...flavors], currencyAssumed: false }),
    'catalog.images': () => ({
      asOf: now,
      items: [image('Ubuntu 24.04'), image('Ubuntu 24.04', dallas), image('Debian 12')],
    }),
    'creation.keys': () => [key],
    'creation.draft': () => null,
    'creation.replacedDraft': () => null,
    'volumes.refresh': () => undefined,
  } satisfies Partial<Handlers>,
  ...(act && { act }),
})
const take = (stage: HTMLElement): void =>
  stage.querySelectorAll<HTMLElement>('.tile input:not([disabled])')[1]?.click()

export default [
  entry(FlavorChoice, {
    none: choose([]),
    one: choose(usual.slice(0, 1)),
    'several, nothing chosen': choose(usual),
    'several, one chosen': choose(usual, 'h100.1x'),
    'missing one': choose(usual, null, true),
    'two hundred flavors': choose(many, 'flavor-1'),
    'neither GPU nor stock reported': choose(bare, 's-1'),
    'CPUs alone': choose(usual.slice(-1)),
    hostile: choose(hostile, texts.html),
    narrow: { render: choose(usual, 'h100.1x'), width: 420 },
    'right to left': { render: choose(usual, 'h100.1x'), rtl: true },
  }),
  entry(RegionChoice, {
    several: places(usual.slice(0, 2)),
    'sold out in one': places([flavor('a'), flavor('a', { region: dallas, inStock: false })], 'o'),
    'stock and price unknown': places([flavor('a', { inStock: null, price: null })], null, true),
  }),
  entry(CostSummary, {
    'nothing chosen': cost({ flavor: null }),
    usual: cost({ usually: 190, order: '1 × H100 · Oslo · Ubuntu 24.04' }),
    hostile: cost({ order: texts.html + texts.long }),
    'several GPUs': cost({ flavor: flavor('h100.8x', { gpuCount: 8, price: usd(19.92) }) }),
    'with a volume': cost({ volume: { perHour: [usd(0.12)] } }),
    'a volume of unknown price': cost({ volume: { perHour: [] } }),
    'a volume in another currency': cost({ volume: { perHour: [{ currency: 'EUR', millionths: 120_000 }] } }),
    'price unknown': cost({ flavor: flavor('a', { price: null }), volume: { perHour: [usd(0.12)] } }),
  }),
  entry(CreateForm, {
    'no GPU': form([]),
    'one GPU': form(usual.slice(0, 1)),
    'many GPUs': form(many),
    'one pressed': form(usual, regions, take),
    'a service without regions': form(bare, []),
  }),
]
