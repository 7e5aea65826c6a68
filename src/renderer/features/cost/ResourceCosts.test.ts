// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { unpricedItem } from '../../../../test/gallery/unknown-costs'
import { account, now } from '../../../../test/gallery/world'
import ResourceCosts from './ResourceCosts.vue'

let window: Mounted
afterEach(() => window.unmount())

it('an unknown price is never shown as 0.00', async () => {
  window = await mounted(() => h(ResourceCosts, { account, resource: 'm-1' }), {
    'cost.resources': () => ({ account, asOf: now, history: 'complete', items: [unpricedItem], count: 1 }),
    'cost.days': () => ({
      account,
      asOf: now,
      timeZone: 'UTC',
      history: 'complete',
      end: now,
      currencies: [],
      starts: Float64Array.of(now - 86_400),
    }),
  })
  expect(window.text()).not.toContain('0.00')
})
