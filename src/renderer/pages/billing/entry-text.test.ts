import { expect, it } from 'vitest'
import { expectSafe } from '../../../../test/gallery/hostile-text'
import { resourceText } from './entry-text'

it('a hostile name of a resource is made safe', () => {
  expect.hasAssertions()
  expectSafe((name) => resourceText({ id: 'r', name, type: null, ended: null }))
})
