// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h, nextTick } from 'vue'
import type { FlavorView } from '#shared/bridge/catalog'
import type { MachineDraft } from '#shared/bridge/creation'
import type { Handlers } from '#shared/bridge/index'
import { type Failure, FailureError } from '#shared/failure'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { armedCreation } from '../../../../test/gallery/states/armed-creations'
import { account, machine, now, usd } from '../../../../test/gallery/world'
import { planFixture } from '../../../../test/fixtures/template'
import { t } from '../../platform/i18n'
import { volumeNamed } from '../../features/volumes/volume.fixture'
import CreateForm from './CreateForm.vue'
import { emptyDraft } from './draft'

let window: Mounted
afterEach(() => window.unmount())

const noSsh = { user: null, port: null, jumpHost: null, forwardAgent: null, options: null }
const oslo = { id: 'o', name: 'Oslo' }
const dallas = { id: 'd', name: 'DALLAS' }
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGmKD3MyFNHnFlo8lWrUZeUd9eX2BpGBNSOwPnyGeWCV ada'
const flavor = (name: string, changes: Partial<FlavorView> = {}): FlavorView => ({
  id: `${name}@${changes.region?.id ?? 'o'}`,
  name,
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
  ...changes,
})
const image = (region: typeof oslo) => ({
  id: `ubuntu@${region.id}`,
  name: 'Ubuntu 24.04',
  region,
  type: null,
  description: null,
})
const open = async (draft: MachineDraft | null, handlers: Partial<Handlers> = {}, like?: string) => {
  window = await mounted(() => h(CreateForm, { account, kind: 'machine', like }), {
    'catalog.regions': () => ({
      asOf: 1,
      items: [oslo, dallas].map((region) => ({ ...region, description: null, flavors: 1, images: 1 })),
    }),
    'catalog.flavors': () => ({
      asOf: 1,
      currencyAssumed: false,
      items: [flavor('gpu-8-h100'), flavor('gpu-8-h100', { region: dallas })],
    }),
    'catalog.images': () => ({ asOf: 1, items: [image(oslo), image(dallas)] }),
    'creation.keys': () => [
      { path: '/home/ada/.ssh/id.pub', type: 'ssh-ed25519', comment: 'ada', publicKey, identityFile: null },
    ],
    'creation.draft': () => draft,
    'creation.replacedDraft': () => null,
    'creation.keepDraft': () => undefined,
    'volumes.refresh': () => undefined,
    ...handlers,
  })
}
const sent = () => window.main.calls.filter(([name]) => name === 'machine.create').map(([, input]) => input)
const radio = async (name: RegExp): Promise<void> => {
  const label = window.all('label').find((one) => name.test(one.textContent ?? ''))
  const input = label?.querySelector('input') ?? expect.fail()
  input.click()
  await window.settled()
}
const refuse = (field: string) => (): never => {
  throw new FailureError({ kind: 'refused-by-service', message: 'no such thing', status: 400, field })
}

it('one click on a GPU completes the form', async () => {
  await open(null, { 'machine.create': refuse('name') })
  await radio(/^H100/)
  expect(window.find('.order').textContent).toBe('1 × H100 · DALLAS · Ubuntu 24.04')
  await window.submit()
  expect(sent()).toMatchObject([
    {
      machine: {
        name: 'h100-1',
        flavor_id: 'gpu-8-h100@d',
        image_id: 'ubuntu@d',
        ssh_key: { name: 'ada', public_key: publicKey },
      },
    },
  ])
})

it.each([
  ['commands', planFixture({ commands: 'HF_TOKEN=••• make', ssh: noSsh })],
  ['SSH options', planFixture({ commands: '', ssh: { ...noSsh, options: 'SetEnv=HF_TOKEN=•••' } })],
])('nothing is sent while %s of a template lack values that were left out', async (_, changed) => {
  const plan = { ...changed, end: null, isEndArmed: false, volumes: [] }
  const draft = {
    ...emptyDraft(),
    name: 'train',
    region: 'o',
    flavor: 'gpu-8-h100@o',
    image: 'ubuntu@o',
    plan,
  }
  await open({ ...draft, keyFile: '/home/ada/.ssh/id.pub' })
  await window.submit()
  expect(window.find('[data-field=plan] [role=alert]').textContent).toBe(t('templates.plan.valuesMissing'))
  expect(window.find('[data-field=plan] .problem').textContent.trim()).toBe(t('templates.plan.valuesMissing'))
  expect(sent()).toEqual([])
})

it('the form of a similar machine is complete', async () => {
  await open(null, { 'machine.create': refuse('name') }, 'm-train')
  await window.submit()
  expect(sent()).toMatchObject([
    { machine: { name: 'train-llama-02', flavor_id: 'gpu-8-h100@d', image_id: 'ubuntu@d' } },
  ])
})

it('the form of a similar machine waits for the machines after a restart', async () => {
  const unread = { asOf: null, reading: true, total: null, failure: null }
  const handlers: Partial<Handlers> = {
    'fleet.snapshot': () => ({ account, revision: 1, status: unread, machines: [] }),
    'fleet.refresh': () => {
      globalThis.fakeMain.emit('fleet.changed', {
        account,
        revision: 2,
        status: { asOf: now, reading: false, total: 1, failure: null },
        upserts: [machine()],
        removes: [],
      })
    },
    'machine.create': refuse('name'),
  }
  await open(null, handlers, 'm-train')
  await window.submit()
  expect(sent()).toMatchObject([{ machine: { name: 'train-llama-02' } }])
})

it('a similar machine that is sold out shows it at once, until another region is chosen', async () => {
  const items = [flavor('gpu-8-h100'), flavor('gpu-8-h100', { region: dallas, inStock: false })]
  const flavors = () => ({ asOf: 1, currencyAssumed: false, items })
  await open(null, { 'catalog.flavors': flavors }, 'm-train')
  const alerts = () => window.all('[role=alert]').map((one) => one.textContent)
  expect(alerts()).toEqual([t('creation.missing.flavorSoldOut')])
  await radio(/^Oslo/)
  expect(alerts()).toEqual([])
})

it('a similar machine without its image asks for an image', async () => {
  const images = () => ({ asOf: 1, items: [{ ...image(dallas), name: 'Debian 12' }] })
  await open(null, { 'catalog.images': images }, 'm-train')
  await window.submit()
  expect(window.all('[role=alert]').map((one) => one.textContent)).toEqual([t('creation.missing.image')])
  expect(sent()).toEqual([])
})

it('a typed name stays with another GPU, even if it looks suggested', async () => {
  const items = [flavor('gpu-8-h100'), flavor('gpu-8-l40s', { gpu: 'L40S' })]
  await open(null, { 'catalog.flavors': () => ({ asOf: 1, currencyAssumed: false, items }) })
  await radio(/^H100/)
  const name = window.find('.name input')
  await window.type(name, 'h100-9')
  await radio(/^L40S/)
  expect(name).toHaveProperty('value', 'h100-9')
  await window.type(name, '')
  await radio(/^H100/)
  expect(name).toHaveProperty('value', 'h100-1')
})

it('the suggested name differs from the names of machines that wait for stock', async () => {
  await open(null, { 'armedCreations.list': () => [armedCreation({ name: 'h100-1' })] })
  await radio(/^H100/)
  expect(window.find('.name input')).toHaveProperty('value', 'h100-2')
})

it('a click on a row counts once, and the chosen region stays', async () => {
  const items = [flavor('gpu-8-h100', { price: usd(3) }), flavor('gpu-8-h100', { region: dallas })]
  const flavors = () => ({ asOf: 1, currencyAssumed: false, items })
  await open({ ...emptyDraft(), name: 'typed', region: 'o' }, { 'catalog.flavors': flavors })
  const row = window.find('tbody tr input')
  row.click()
  await window.settled()
  expect(window.find('.order').textContent).toMatch(/ · Oslo · /)
})

it('a service without regions offers its images', async () => {
  const nowhere = { id: null, name: null }
  await open(null, {
    'catalog.regions': () => ({ asOf: 1, items: [] }),
    'catalog.flavors': () => ({
      asOf: 1,
      currencyAssumed: false,
      items: [flavor('gpu-8-h100', { region: nowhere })],
    }),
    'catalog.images': () => ({ asOf: 1, items: [{ ...image(oslo), region: nowhere }] }),
  })
  await radio(/^H100/)
  expect(window.find('.boot select')).toHaveProperty('value', 'ubuntu@o')
})

it('a notice about missing regions stays until their list is loaded', async () => {
  const items = [{ ...oslo, description: null, flavors: 1, images: 1 }]
  let failure: Failure | undefined = { kind: 'timed-out', host: 'api.example.com', seconds: 30 }
  await open(null, { 'catalog.regions': () => ({ asOf: 1, items, ...(failure && { failure }) }) })
  const missing = /Some regions may be missing/
  expect(window.text()).toMatch(missing)
  failure = undefined
  await window.click(t('common.actions.retry'))
  expect(window.text()).not.toMatch(missing)
})

it('the form cannot be reset while it is being sent', async () => {
  const startOver = () => window.named(t('creation.startOver'))
  await open(null, {
    'machine.create': async () => {
      await nextTick()
      expect(startOver()).toHaveProperty('disabled', true)
      return refuse('name')()
    },
  })
  await radio(/^H100/)
  await window.submit()
  expect(window.text()).toContain('no such thing')
  expect(startOver()).toHaveProperty('disabled', false)
})

it('a draft of an earlier version keeps its region and asks for the GPU', async () => {
  await open({ ...emptyDraft(), name: 'typed', region: 'o' })
  await window.submit()
  expect(window.all('[role=alert]').map((one) => one.textContent)).toEqual([t('creation.missing.flavor')])
  await radio(/^H100/)
  expect(window.all('[role=alert]')).toEqual([])
  expect(window.all('.regions .chosen').map((one) => one.textContent)).toEqual([
    expect.stringMatching(/^Oslo/),
  ])
})

it('a flavor that the service rejects as sold out is marked', async () => {
  let inStock = true
  const asked: unknown[] = []
  await open(null, {
    'catalog.flavors': (input) => {
      asked.push(input.fresh ?? false)
      const items = [flavor('gpu-8-h100', { inStock }), flavor('gpu-8-l40s', { gpu: 'L40S' })]
      return { asOf: 1, currencyAssumed: false, items }
    },
    'machine.create': () => {
      inStock = false
      throw new FailureError({
        kind: 'refused-by-service',
        message: 'The flavor is out of stock',
        status: 409,
      })
    },
  })
  await radio(/^H100/)
  await window.submit()
  expect(asked).toEqual([false, true])
  expect(window.text()).toContain('The flavor is out of stock')
  expect(window.text()).toContain(t('creation.missing.flavorSoldOut'))
  await radio(/^L40S/)
  expect(window.text()).not.toContain(t('creation.missing.flavorSoldOut'))
})

it('“Same as” keeps its machine while other machines start', async () => {
  await open(null)
  const same = () => window.find('.last').textContent?.trim()
  const before = same()
  window.main.emit('fleet.changed', {
    account,
    revision: 2,
    removes: [],
    upserts: [machine({ id: 'm-later', name: 'started-later', startedAt: now + 60 })],
    status: { asOf: now + 60, reading: false, total: 10, failure: null },
  })
  await window.settled()
  expect([before?.startsWith('Same as '), same()]).toEqual([true, before])
})

it('a rejection disappears when its field changes', async () => {
  await open(null, { 'machine.create': refuse('image_id') })
  await radio(/^H100/)
  await window.submit()
  expect(window.text()).toContain('no such thing')
  await window.type(window.find('.name input'), 'other')
  expect(window.text()).toContain('no such thing')
  await radio(/^Oslo/)
  expect(window.text()).not.toContain('no such thing')
})

it('a volume of another region or without a boot record shows an error', async () => {
  const volumes = [
    volumeNamed('far', { name: 'vol-far', bootable: true, region: dallas }),
    volumeNamed('data', { name: 'vol-data', bootable: false, region: oslo }),
  ]
  const draft: MachineDraft = { ...emptyDraft(), name: 'typed', region: 'o', flavor: 'gpu-8-h100@o' }
  await open(
    { ...draft, boot: 'volume', volume: 'vol-far' },
    {
      'volumes.snapshot': (input) => ({
        account: input.account,
        revision: 1,
        volumes,
        status: { asOf: 1, reading: false, total: 2, failure: null, listed: true },
      }),
    },
  )
  await window.submit()
  expect(window.text()).toContain(t('creation.boot.otherRegion'))
  const field = window.all('input').find((one) => one.getAttribute('aria-invalid') === 'true')
  await window.type(field ?? document.body, 'vol-data')
  expect(window.text()).toContain(t('creation.boot.notBootable'))
  await window.type(field ?? document.body, 'vol-unknown')
  expect(window.all('[aria-invalid=true]')).toEqual([])
  expect(sent()).toEqual([])
})

it('the price includes the boot volume or a note that its price is unknown', async () => {
  const volume = volumeNamed('root', { id: 'v-1', name: 'vol-root', bootable: true, region: oslo })
  const draft: MachineDraft = { ...emptyDraft(), name: 'typed', region: 'o', flavor: 'gpu-8-h100@o' }
  await open(
    { ...draft, boot: 'volume', volume: 'vol-root' },
    {
      'volumes.snapshot': (input) => ({
        account: input.account,
        revision: 1,
        volumes: [volume],
        status: { asOf: 1, reading: false, total: 1, failure: null, listed: true },
      }),
      'cost.active': () => [
        {
          id: 'v-1',
          name: 'root',
          type: 'volume',
          createdAt: 1,
          currency: 'USD',
          perHour: 500_000,
          soFar: 1,
        },
      ],
    },
  )
  expect(window.find('.cost').textContent).toContain('2.50 USD')
  expect(window.find('.cost').textContent).toContain(t('creation.summary.volume', { price: '0.50 USD' }))
  await window.type(
    window.all('.boot input[type=text], .boot input:not([type])').at(-1) ?? document.body,
    'vol-x',
  )
  expect(window.find('.cost').textContent).toContain(t('creation.summary.volumeUnknown'))
})

it('a complete form with a sold-out GPU waits for stock with its terms, and an incomplete one does not', async () => {
  const items = [flavor('gpu-8-h100', { inStock: false, gpuCount: 8 })]
  await open(null, {
    'catalog.flavors': () => ({ asOf: 1, currencyAssumed: false, items }),
    'armedCreations.arm': refuse('name'),
  })
  const armed = () =>
    window.main.calls.filter(([name]) => name === 'armedCreations.arm').map(([, input]) => input)
  await radio(/^H100/)
  const name = window.find('.name input')
  await window.type(name, '')
  await window.submit()
  expect(window.all('dialog')).toEqual([])
  expect(document.activeElement).toBe(name)
  await window.type(name, 'late-1')
  await window.submit()
  const dialog = window.find('dialog')
  expect(dialog.textContent).toContain(t('armedCreations.dialog.until'))
  dialog.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }))
  await window.settled()
  expect(armed()).toMatchObject([
    {
      account,
      region: oslo,
      cap: usd(2),
      draft: { name: 'late-1', flavor: 'gpu-8-h100@o' },
      order: {
        kind: 'machine',
        machine: { name: 'late-1', flavor_id: 'gpu-8-h100@o', image_id: 'ubuntu@o' },
      },
    },
  ])
  expect(sent()).toEqual([])
})
