import { expect, it } from 'vitest'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { createKeptTitles } from './kept-titles'

it('stores the newest 100 titles of an account, until a title or the account is removed', async () => {
  const titles = createKeptTitles(flakySettings())
  const [account, other] = ['a1b2c3d4e5f6', 'f6e5d4c3b2a1']
  await titles.change(other, 'wheelhouse-0', 'Other')
  for (let number = 0; number < 101; number += 1)
    await titles.change(account, `wheelhouse-${String(number)}`, `Tab ${String(number)}`)
  const all = (): readonly (string | null)[] =>
    [0, 1, 100].map((one) => titles.of(account, `wheelhouse-${String(one)}`))
  expect(all()).toEqual([null, 'Tab 1', 'Tab 100'])
  await titles.change(account, 'wheelhouse-1', 'Training')
  await titles.change(account, 'wheelhouse-100', null)
  expect(all()).toEqual([null, 'Training', null])
  await titles.forgetAccount(account)
  expect(all()).toEqual([null, null, null])
  expect(titles.of(other, 'wheelhouse-0')).toBe('Other')
})
