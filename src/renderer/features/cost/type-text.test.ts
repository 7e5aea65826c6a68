import { expect, it } from 'vitest'
import { expectSafe } from '../../../../test/gallery/hostile-text'
import { billingText } from './type-text'

it('a hostile kind of charge is made safe', () => {
  expect.hasAssertions()
  expectSafe((type) => billingText('chargeTypes', type))
})
