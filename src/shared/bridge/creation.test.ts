import { expect, it } from 'vitest'
import { KeyFileName } from './creation'

it.each(['id_ed25519', 'wheelhouse_ed25519_2', 'lab.key', 'config-lab', 'pub'])(
  'a key may be called %s',
  (name) => {
    expect(KeyFileName.safeParse(name).success).toBe(true)
  },
)

it.each(['id_lab.pub', 'ID.PUB', 'config', 'known_hosts', 'authorized_keys', 'rc', '../id', '-x', ''])(
  'a key may not be called %j, which has another meaning',
  (name) => {
    expect(KeyFileName.safeParse(name).success).toBe(false)
  },
)
