import { expect, it } from 'vitest'
import { expectSafe } from '../../../test/gallery/hostile-text'
import { gpuText, statusText } from './machine-text'

it('hostile names of a status and a GPU are made safe', () => {
  expect.hasAssertions()
  expectSafe(statusText)
  expectSafe((gpu) => gpuText({ name: null, cpu: null, ram: null, disk: null, gpuCount: 1, gpu }))
})
