import { expect, it } from 'vitest'
import { defaultUser } from './default-user'

it.each([
  ['Ubuntu 22.04 LTS CUDA 12.4', 'ubuntu'],
  ['debian-12-generic', 'debian'],
  ['Rocky Linux 9', 'rocky'],
  ['PyTorch 2.6', ''],
  [null, ''],
])('the image %j suggests the user "%s"', (image, user) => {
  expect(defaultUser(image)).toBe(user)
})
