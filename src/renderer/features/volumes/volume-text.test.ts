import { expect, it } from 'vitest'
import { expectSafe } from '../../../../test/gallery/hostile-text'
import { volumeNamed } from './volume.fixture'
import { regionText } from './volume-text'

it('a hostile name of a region is made safe', () => {
  expect.hasAssertions()
  expectSafe((name) => regionText(volumeNamed('v', { region: { id: null, name } })))
})
