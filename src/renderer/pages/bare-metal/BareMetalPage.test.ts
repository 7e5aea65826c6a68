// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { machine, now, sandboxAccount, world } from '../../../../test/gallery/world'
import { useAccounts } from '../../stores/accounts'
import BareMetalPage from './BareMetalPage.vue'
import './ForgetInstancesDialog.vue'

let window: Mounted
afterEach(() => window.unmount())

it('the question about selected instances closes when another account is selected', async () => {
  window = await mounted(() => h(BareMetalPage), {
    'accounts.select': () => undefined,
    'bareMetal.snapshot': (input) => ({
      ...world['bareMetal.snapshot'](input),
      instances: [
        {
          ...machine({ id: input.account, name: `metal of ${input.account}` }),
          origin: 'found',
          knownSince: now,
          presence: 'there',
        },
      ],
    }),
    'listViews.read': ({ account: id }) => ({ 'bare-metal': { selected: [id] } }),
  })
  const isAsking = () => window.all('dialog').length > 0
  await window.click(window.find('.bar .actions button'))
  await expect.poll(isAsking).toBe(true)
  await useAccounts().select(sandboxAccount.id)
  await window.settled()
  expect(isAsking()).toBe(false)
})
