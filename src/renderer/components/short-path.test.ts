import { expect, it } from 'vitest'
import { shortPath } from './short-path'

it.each([
  ['/home/anna/.ssh/lab_ed25519', '~/.ssh/lab_ed25519'],
  ['/root/.ssh/id_rsa', '~/.ssh/id_rsa'],
  ['/Users/anna/.ssh/id', '~/.ssh/id'],
  ['C:\\Users\\Anna Lee\\.ssh\\id', '~\\.ssh\\id'],
  ['/rootless/key', '/rootless/key'],
  ['/tmp/sandbox-key', '/tmp/sandbox-key'],
  ['/home/anna/.config/Wheelhouse/user-data/sandbox/id_ed25519', '…/sandbox/id_ed25519'],
])('%s is shortened to %s', (path, short) => expect(shortPath(path)).toBe(short))
