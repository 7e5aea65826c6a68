// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, ledger } from '../../../../test/gallery/world'
import LedgerProgress from './LedgerProgress.vue'

let window: Mounted
afterEach(() => window.unmount())

const open = (changes: Parameters<typeof ledger>[0]) =>
  mounted(() => h(LedgerProgress, { account }), {
    'ledger.state': () => ledger({ complete: false, ...changes }),
  })
const failure = { kind: 'forbidden' } as const

it('shows the progress, even after an interruption', async () => {
  window = await open({ known: 4_800, failure })
  expect(window.text()).toContain('4,800')
  expect(window.all('[role=progressbar]')).toHaveLength(1)
})

it('shows only the failure if nothing could be read', async () => {
  window = await open({ known: 0, total: null, failure })
  expect(window.text()).toContain('Access denied')
  expect(window.all('[role=progressbar], [role=status]')).toEqual([])
})
