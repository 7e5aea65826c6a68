import { expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { connect, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { must } from '../../../test/fixtures/service-client'
import { createVolumeActions } from './actions'
import { openMemory } from './remembered-volumes'

it('an account forgotten before its answer came leaves nothing in memory', async () => {
  const { accounts, ...harness } = await setUp()
  const { id: account } = await connect({ accounts, ...harness }, await runSandbox())
  const { volumes, machines } = accounts.service(account)
  const memory = openMemory(flakySettings())
  const forgotten = () => {
    throw new FailureError({ kind: 'invalid-input', field: 'account', reason: 'unknown' })
  }
  const actions = createVolumeActions({
    accounts,
    memory,
    clock: fakeClock(),
    deleted: new Set<string>(),
    extensions: { mayList: () => true, list: (_, page) => volumes.list(page), remove: forgotten },
    remember: (written) => void written,
    of: forgotten,
    find: () => undefined,
    read: forgotten,
  })
  const wanted = { display_name: 'mine', region_id: 'r', type_id: 't', size: 1 }
  expect(() => actions.keepCreated(account, wanted, null, { id: 'v' })).toThrow(FailureError)
  const all = (await volumes.list({ limit: 200 })).items
  const volume = must(all.find(({ bootable, status }) => !bootable && status === 'available'))
  const machine = must(
    (await machines.list({ limit: 200 })).items.find(({ region }) => region?.name === volume.region),
  )
  await expect(actions.attach(account, machine.id, [volume.id])).rejects.toThrow(FailureError)
  const order = [account, machine.id, [volume.id]] as const
  expect(await actions.lookUp(...order, 'attached')).toBe('unknown')
  expect(memory.volumes(account)).toEqual({})
})
