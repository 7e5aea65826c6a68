// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account } from '../../../../test/gallery/world'
import RunningMachines from './RunningMachines.vue'

let window: Mounted
afterEach(() => window.unmount())

it('a machine that is charged in two currencies shows both', async () => {
  const cost = { id: 'm-train', name: 'train-llama-01', type: 'vm', createdAt: 1, soFar: null }
  window = await mounted(() => h(RunningMachines), {
    'cost.active': (input) =>
      input.account === account
        ? [
            { ...cost, currency: 'USD', perHour: 19_920_000 },
            { ...cost, currency: 'EUR', perHour: 3_000_000 },
          ]
        : [],
  })
  const row = window.all('tr').find((one) => one.textContent.includes('train-llama-01'))
  expect(row?.textContent).toMatch(/19\.92 USD.*3\.00 EUR/)
})

it('no cell spans more columns than a narrow window shows', async () => {
  window = await mounted(() => h(RunningMachines))
  const hidden = ['gpu', 'region', 'up']
  const shown = window
    .all('thead th')
    .filter((cell) => hidden.every((name) => !cell.classList.contains(name)))
  const spans = window.all('[colspan]').map((cell) => Number(cell.getAttribute('colspan')))
  expect(spans.length).toBeGreaterThan(0)
  expect(Math.max(...spans)).toBeLessThanOrEqual(shown.length)
})
