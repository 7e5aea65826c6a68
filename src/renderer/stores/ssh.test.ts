import { expect, it } from 'vitest'
import type { SshConnectionView } from '#shared/bridge/ssh'
import { accountNamed, mainProcess } from './stores.fixture'

const account = 'a1b2c3d4e5f6'
const connection: SshConnectionView = {
  machine: 'm1',
  user: 'ubuntu',
  host: '10.0.0.5',
  port: 22,
  identityFile: null,
  hostKey: null,
  jumpHost: null,
  forwardAgent: false,
  options: null,
  command: 'ssh ubuntu@10.0.0.5',
  terminal: 'xterm',
  offersInside: false,
  usesOwnClient: false,
  settings: { user: null, port: null, identityFile: null },
}

it('a connection is read once and then follows pushed changes', async () => {
  let reads = 0
  const main = mainProcess({
    'accounts.list': () => ({ accounts: [accountNamed(account)], selected: account }),
    'ssh.connection': () => {
      reads += 1
      return connection
    },
    'ssh.connect': () => ({ terminal: 'xterm', session: null, missing: null, failed: null }),
  })
  const { useAccounts } = await import('./accounts')
  await useAccounts().start()
  const { useSsh } = await import('./ssh')
  const ssh = useSsh()
  await ssh.load(account, 'm1')
  expect(await ssh.connect(account, 'm1')).toMatchObject({ terminal: 'xterm' })
  expect(ssh.connection(account, 'm1')?.hostKey).toBeNull()
  main.push('ssh.changed', { account, connection: { ...connection, hostKey: 'SHA256:recorded' } })
  expect(ssh.connection(account, 'm1')?.hostKey).toBe('SHA256:recorded')
  expect(ssh.connection('b1b2c3d4e5f6', 'm1')).toBeNull()
  expect(reads).toBe(1)
})
