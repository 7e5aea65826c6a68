import { expect, it } from 'vitest'
import { KeyFileName } from './creation'

it.each(['id_ed25519', 'wheelhouse_ed25519_2', 'lab.key', 'config-lab', 'pub'])(
  'a key may be called %s',
  (name) => {
    expect(KeyFileName.safeParse(name).success).toBe(true)
  },
)

it.each(['id_lab.pub', 'ID.PUB', 'config', 'known_hosts', 'authorized_keys', 'rc', '../id', '-x', ''])(
  'no key is called %j, which stands for something else',
  (name) => {
    expect(KeyFileName.safeParse(name).success).toBe(false)
  },
)
