// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { unpricedView } from '../../../../test/gallery/unknown-costs'
import SpendingPill from './SpendingPill.vue'

let window: Mounted
afterEach(() => window.unmount())

it('unknown prices show no rate in the top bar', async () => {
  window = await mounted(() => h(SpendingPill), { 'cost.spending': () => unpricedView })
  expect(window.all('.pill')).toEqual([])
})
