// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h, ref, type VNode } from 'vue'
import type { Handlers } from '#shared/bridge/index'
import type { Template } from '#shared/bridge/template'
import type { Money } from '#shared/money/money'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, usd } from '../../../../test/gallery/world'
import { flavorFixture } from '../../../../test/fixtures/flavor'
import { templateFixture } from '../../../../test/fixtures/template'
import { t } from '../../platform/i18n'
import { volumeNamed } from '../../features/volumes/volume.fixture'
import { wishedForm } from '../../features/templates/one-click'
import { useTemplates } from '../../stores/templates'
import CreateForm from './CreateForm.vue'

let window: Mounted
afterEach(() => window.unmount())

const oslo = { id: 'o', name: 'Oslo' }
const flavor = flavorFixture()
const simple: Partial<Template> = { end: null, commands: '', volumes: [] }

/** Opens the form of a template; `seen`: price of a click that creates at once; `of`: account of that click. */
async function open(
  changes: Partial<Template>,
  seen: Money | null,
  handlers: Partial<Handlers> = {},
  of = account,
): Promise<void> {
  const template = templateFixture(changes)
  const isShown = ref(false)
  const form = (): VNode | null =>
    isShown.value ? h(CreateForm, { account, kind: 'machine', template: template.id, at: 'click' }) : null
  window = await mounted(form, {
    'templates.list': () => [{ ...template, secretLines: { initScript: [], commands: [] } }],
    'catalog.regions': () => ({ asOf: 1, items: [{ ...oslo, description: null, flavors: 1, images: 1 }] }),
    'catalog.flavors': () => ({ asOf: 1, currencyAssumed: false, items: [flavor] }),
    'catalog.images': () => ({
      asOf: 1,
      items: [{ id: 'i', name: 'Ubuntu 24.04', region: oslo, type: null, description: null }],
    }),
    'creation.keys': () => [
      {
        path: '/home/ada/.ssh/lab.pub',
        type: 'ssh-ed25519',
        comment: 'lab',
        publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGmKD3MyFNHnFlo8lWrUZeUd9eX2BpGBNSOwPnyGeWCV lab',
        identityFile: null,
      },
    ],
    'creation.draft': () => null,
    'creation.replacedDraft': () => null,
    'creation.keepDraft': () => undefined,
    'volumes.refresh': () => undefined,
    'machine.create': ({ request }) => ({
      id: 'c-1',
      account,
      kind: 'machine',
      request,
      name: 'train-1',
      flavor: 'f',
      cause: null,
      connect: 'none',
      services: 'none',
      usualSeconds: null,
      link: null,
      sentAt: 1,
      state: { kind: 'created', machine: 'm-new', found: false },
    }),
    ...handlers,
  })
  if (seen) useTemplates().wish(wishedForm(of, 'click'), seen)
  isShown.value = true
  await window.settled()
}
const sent = () => window.main.calls.filter(([name]) => name === 'machine.create').map(([, input]) => input)

it('a template with its shown price creates a machine once, after its plan is stored', async () => {
  await open({ ...simple, machineName: 'train-1' }, usd(2))
  expect(sent()).toMatchObject([{ again: [], machine: { name: 'train-1', flavor_id: 'f', image_id: 'i' } }])
  const names = window.main.calls.map(([name]) => name)
  expect(names.indexOf('plans.prepare')).toBeLessThan(names.indexOf('machine.create'))
  expect(names).toContain('plans.prepare')
  expect(window.text()).toContain(t('templates.oneClick.created', { machine: 'train-1', price: '2.00 USD' }))
  expect(window.router.currentRoute.value.params).toEqual({ machine: 'm-new' })
})

it('a click in another account sends nothing', async () => {
  await open({ ...simple, machineName: 'train-1' }, usd(2), {}, 'other-account')
  expect(sent()).toEqual([])
})

it('the form of a template without a click that creates sends nothing', async () => {
  await open(simple, null)
  expect(sent()).toEqual([])
})

it.each([
  [
    'another price',
    simple,
    usd(3),
    t('templates.oneClick.priceChanged', { price: '3.00 USD', now: '2.00 USD' }),
  ],
  ['an end to arm', { ...simple, end: templateFixture().end }, usd(2), t('templates.plan.endOpen')],
  ['commands without permission', { ...simple, commands: 'make' }, usd(2), t('templates.plan.allowMissing')],
  ['a boot volume', { ...simple, image: null, volume: 'v' }, usd(2), t('templates.plan.needs')],
  ['a missing key', { ...simple, key: 'other' }, usd(2), t('templates.plan.missing.key', { name: 'other' })],
  [
    'a missing volume',
    { ...simple, volumes: [{ id: 'gone', name: 'data' }] },
    usd(2),
    t('templates.plan.incomplete'),
  ],
])('%s opens the form, which names it and sends nothing', async (_, template, seen, text) => {
  await open(template, seen)
  // Outside of the form, whose fields scroll.
  expect(window.find('.questions').textContent).toContain(text)
  expect(window.find('form').contains(window.find('.questions'))).toBe(false)
  expect(sent()).toEqual([])
})

it('volumes that can’t be read open the form', async () => {
  await open({ ...simple, volumes: [{ id: 'v-1', name: 'data' }] }, usd(2), {
    'volumes.refresh': () => Promise.reject(new Error('offline')),
  })
  expect(window.text()).toContain(t('templates.oneClick.volumesUnread'))
  expect(sent()).toEqual([])
})

it('a missing bootable volume blocks the form at its field until it is replaced', async () => {
  const volumes = [volumeNamed('root', { id: 'v-2', name: 'vol-2', bootable: true, region: oslo })]
  await open({ ...simple, image: null, volume: 'vol-1' }, null, {
    'volumes.snapshot': (input) => ({
      account: input.account,
      revision: 1,
      volumes,
      status: { asOf: 1, reading: false, total: 1, failure: null, listed: true },
    }),
  })
  await window.submit()
  expect(sent()).toEqual([])
  const field = window.find('[data-field~=volume] [aria-invalid=true]')
  expect(window.text()).toContain(t('creation.boot.missing'))
  await window.type(field, 'vol-2')
  await window.submit()
  expect(sent()).toMatchObject([{ machine: { volume_name: 'vol-2' } }])
})
