// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h, ref } from 'vue'
import { FailureError } from '#shared/failure'
import { mounted, type Mounted } from '../../../../../test/gallery/mounted'
import { account, sandboxAccount } from '../../../../../test/gallery/world'
import { t } from '../../../platform/i18n'
import CurrencyNote from './CurrencyNote.vue'

let window: Mounted
afterEach(() => window.unmount())

it('a change of the account closes the dialog, and new input clears its failure', async () => {
  const shown = ref(account)
  const set: unknown[] = []
  window = await mounted(() => h(CurrencyNote, { account: shown.value }), {
    'cost.currency': ({ account: id }) => ({ currency: id === account ? 'USD' : 'EUR', chosen: true }),
    'cost.setCurrency': (input) => {
      set.push(input)
      throw new FailureError({ kind: 'disk-full' })
    },
  })
  await window.click(t('billing.costs.change'))
  await window.submit()
  expect([set, window.all('dialog [role=alert]').length]).toEqual([[{ account, currency: 'USD' }], 1])
  await window.type(window.find('dialog input'), 'CHF')
  expect(window.all('dialog [role=alert]')).toEqual([])
  shown.value = sandboxAccount.id
  await window.settled()
  expect(window.all('dialog')).toEqual([])
  expect(window.text()).toContain('EUR')
})
