import { expect, it } from 'vitest'
import { connect, control, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { createBalances } from './index'

it('is in currencies of three letters, and counts what names none or is no amount', async () => {
  const sandbox = await runSandbox()
  const harness = await setUp()
  const { id: account } = await connect(harness, sandbox)
  const data = { available: { USD: 4.5, eur: 2, $: 7, credits: 9, GBP: null, CHF: '12', JPY: 1e300 } }
  await control(sandbox, 'POST', '/faults', {
    kind: 'status',
    status: 200,
    path: '/billing/balance',
    count: 9,
    body: JSON.stringify({ status: true, message: 'Balance', data }),
  })
  const balances = createBalances({
    accounts: harness.accounts,
    capabilities: { using: (_account, _name, act) => act() },
    clock: fakeClock(),
    online: () => true,
  })
  await expect
    .poll(() => balances.read(account)?.available)
    .toEqual([
      { currency: 'USD', millionths: 4_500_000 },
      { currency: 'EUR', millionths: 2_000_000 },
    ])
  const unreadable = balances.read(account)?.unreadable
  expect(unreadable?.count).toBe(4)
  for (const odd of ['$', 'credits', 'CHF', 'JPY']) expect(unreadable?.text).toContain(`"${odd}"`)
  expect(unreadable?.text).not.toContain('GBP')
  balances.close()
})
