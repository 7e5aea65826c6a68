import { expect, it } from 'vitest'
import { Machine } from '#shared/service/machine'
import { machineView } from '../fleet/machine-view'
import { createSecrets, holderOf } from './secrets'

const account = 'abcdefghijkl'

it('a machine and a bare metal instance with the same id have separate secrets', async () => {
  const view = machineView(Machine.parse({ id: '7', name: 'train', fixed_ip: '10.0.0.7' }))
  const fleet = {
    view: (_account: string, id: string) => (id === '7' ? view : undefined),
    secret: () => 'of the machine',
  }
  const instance = {
    ...view,
    address: '10.0.0.8',
    origin: 'added',
    knownSince: 0,
    presence: 'there',
  } as const
  const bareMetal = { view: () => instance, secret: () => 'of the instance' }
  const none = { secret: () => expect.fail('asked for another secret') }
  const { handlers } = createSecrets({
    fleet,
    bareMetal,
    apiTokens: none,
    volumes: none,
    firewall: none,
    clipboard: { write: () => undefined, paste: () => undefined, copySecret: () => expect.fail('copied') },
  })
  const reveal = async (machine: string) =>
    handlers['secret.reveal']({ account, secret: { kind: 'machine-password', machine } })
  expect(holderOf({ fleet, bareMetal }, account, '7').view(account, '7')?.address).toBe('10.0.0.7')
  expect(await reveal('7')).toBe('of the machine')
  expect(holderOf({ fleet, bareMetal }, account, '8').view(account, '8')?.address).toBe('10.0.0.8')
  expect(await reveal('8')).toBe('of the instance')
})
