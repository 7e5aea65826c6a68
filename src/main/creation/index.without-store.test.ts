import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { connectWithToken, control, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { openCreation, when } from '../../../test/fixtures/creation-harness'
import { orderFor } from '../../../test/fixtures/creation-order'
import { eagerClock, fakeClock } from '../../../test/fixtures/fake-clock'
import { installation } from '../../../test/fixtures/private-documents'
import { newView } from '../volumes/views'
import { openPendingCreations } from '../volumes/pending-creations'

/** Installs the application with a keychain that never opens. */
const withoutStore = () => {
  const { keychain, ...rest } = installation()
  keychain.failing = 'no keychain'
  return rest
}

it('a machine of a lost answer is recognized after a restart, with only the hash of its name on disk', async () => {
  const { start, plainText } = withoutStore()
  const sandbox = await runSandbox()
  const office = await setUp()
  const { id: account } = await connectWithToken(office, sandbox)
  const service = office.accounts.service(account)
  const machine = orderFor(await service.flavors.list(), await service.images.list(), 'canary-machine')
  const first = start()
  await first.open()
  const bench = await openCreation({
    accounts: office.accounts,
    documents: first.documents,
    // The application ends before the first look.
    clock: fakeClock(),
  })
  await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'POST' })
  const wish = { request: randomUUID(), account, again: [], identityFile: null, machine }
  const { id } = await bench.harness.handlers['machine.create'](wish)
  await first.quit()
  expect(plainText()).toContain(id)
  expect(plainText()).not.toContain('canary')

  const second = start()
  await second.open()
  const harness = await bench.restart({ documents: second.documents, clock: eagerClock() })
  const created = await when(harness, account, id, 'created')
  expect(created).toMatchObject({ name: 'canary-machine', state: { found: true } })
})

it('the same request needs confirmation after a restart, with only the hash of its name on disk', async () => {
  const { start } = withoutStore()
  const [account, now] = ['abcdefghij12', 10_000]
  const first = start()
  await first.open()
  const creations = openPendingCreations(first.documents, fakeClock(now))
  const order = { id: 'a', request: 'r1', account, name: 'mine', region: 'r', size: 10, sentAt: now }
  await creations.add(order, { ids: ['old'], isWhole: true })
  await first.quit()
  const second = start()
  await second.open()
  const again = openPendingCreations(second.documents, fakeClock(now))
  await again.resume()
  expect(again.list(account)).toMatchObject([{ ...order, name: '(name not saved)' }])
  expect(again.list(account, ['theirs', 'mine']).map(({ name }) => name)).toEqual(['mine'])
  const volumes = ['theirs', 'mine'].map((displayName) => ({ ...newView(displayName), displayName }))
  await again.compare(account, volumes)
  expect(again.recognised('a')).toBe('mine')
})
