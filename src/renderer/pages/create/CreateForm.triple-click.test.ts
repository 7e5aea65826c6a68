// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { FailureError } from '#shared/failure'
import { account, usd } from '../../../../test/gallery/world'
import { callCount, tripleClick, withClickGuard } from '../../../../test/gallery/triple-click'
import CreateForm from './CreateForm.vue'

let window: Mounted
withClickGuard()
afterEach(() => window.unmount())

it('a triple click on “Create instance” orders one instance', async () => {
  const oslo = { id: 'o', name: 'Oslo' }
  const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGmKD3MyFNHnFlo8lWrUZeUd9eX2BpGBNSOwPnyGeWCV ada'
  window = await mounted(() => h(CreateForm, { account, kind: 'bare-metal' }), {
    'catalog.regions': () => ({
      asOf: 1,
      items: [{ ...oslo, description: null, flavors: 1, images: 1 }],
    }),
    'catalog.flavors': () => ({
      asOf: 1,
      currencyAssumed: false,
      items: [
        {
          id: 'f',
          name: 'metal',
          region: oslo,
          price: usd(2),
          cpu: 8,
          ram: 64,
          disk: 100,
          ephemeral: 0,
          gpu: 'H100',
          gpuCount: 8,
          bandwidth: null,
          inStock: true,
          cycle: 'hourly',
        },
      ],
    }),
    'catalog.images': () => ({
      asOf: 1,
      items: [{ id: 'u', name: 'Ubuntu 24.04', region: oslo, type: null, description: null }],
    }),
    'creation.keys': () => [
      { path: '/home/ada/.ssh/id.pub', type: 'ssh-ed25519', comment: 'ada', publicKey, identityFile: null },
    ],
    'creation.draft': () => null,
    'creation.replacedDraft': () => null,
    'creation.keepDraft': () => undefined,
    'bareMetal.create': () => {
      throw new FailureError({ kind: 'rate-limited' })
    },
  })
  window.find('.gpu input, input[type=radio]').click()
  await window.settled()
  await tripleClick(window, window.find('button[type=submit]'))
  expect(callCount(window, 'bareMetal.create')).toBe(1)
})
