import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import { connectWithToken, control, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { openCreation, when } from '../../../test/fixtures/creation-harness'
import { orderFor, publicKey } from '../../../test/fixtures/creation-order'
import { scriptedLeases } from '../../../test/fixtures/scripted-leases'
import { eagerClock } from '../../../test/fixtures/fake-clock'

const open = async () => {
  const sandbox = await runSandbox()
  const office = await setUp()
  const { id: account } = await connectWithToken(office, sandbox)
  return { sandbox, office, account, service: office.accounts.service(account) }
}
const bareMetalWish = async ({ account, service }: Awaited<ReturnType<typeof open>>) => {
  const { flavor_id, image_id = '' } = orderFor(
    await service.bareMetal.flavors(),
    await service.bareMetal.images(),
    'metal',
  )
  return () => ({
    request: randomUUID(),
    account,
    again: [],
    identityFile: null,
    machine: { name: 'metal', flavor_id, image_id, ssh_key: { name: 'test', public_key: publicKey } },
  })
}

describe('creating bare metal', () => {
  it('is followed until it runs, and reported to the module with the list', async () => {
    const opened = await open()
    const wish = await bareMetalWish(opened)
    const remembered: string[] = []
    const { harness, settled } = await openCreation({
      accounts: opened.office.accounts,
      clock: eagerClock(),
      bareMetalCreated: (_, { id }) => {
        remembered.push(id)
        return Promise.resolve()
      },
    })
    const { id, state } = await harness.handlers['bareMetal.create'](wish())
    await when(harness, opened.account, id, 'running')
    expect(remembered).toEqual(['machine' in state ? state.machine : ''])
    await expect.poll(() => settled.map(({ name }) => name)).toEqual(['metal'])
  })

  it('is followed until SSH answers and cloud-init is done, if the user allows it', async () => {
    const opened = await open()
    const wish = await bareMetalWish(opened)
    const leases = scriptedLeases(() => ({
      kind: 'finished',
      stdout: 'status: done\n\nexit 0\n\nend\n',
      stderr: '',
      status: 0,
    }))
    leases.follow({ kind: 'connected' })
    const { harness } = await openCreation({
      accounts: opened.office.accounts,
      clock: eagerClock(),
      sshMachines: leases,
      consents: { has: () => true, hasAll: () => true, onChange: () => () => undefined },
    })
    const { id } = await harness.handlers['bareMetal.create'](wish())
    const { state } = await when(harness, opened.account, id, 'ready')
    expect(state).toMatchObject({ setUp: 'done' })
    expect(leases.purposes()).toEqual([])
  })

  it('ends with the instance if that is deleted before it runs', async () => {
    const opened = await open()
    const wish = await bareMetalWish(opened)
    const { office, account } = opened
    const service = office.accounts.service(account)
    const gone = new FailureError({ kind: 'refused-by-service', message: 'not found', status: 404 })
    const bareMetal = { ...service.bareMetal, get: () => Promise.reject(gone) }
    const accounts = { ...office.accounts, service: () => ({ ...service, bareMetal }) }
    const { harness } = await openCreation({ accounts, clock: eagerClock() })
    await harness.handlers['bareMetal.create'](wish())
    await expect.poll(() => harness.list(account)).toEqual([])
  })

  it('stays unknown after a lost answer, and is resent only after confirmation', async () => {
    const opened = await open()
    const { sandbox, office, account } = opened
    const wish = await bareMetalWish(opened)
    const { harness } = await openCreation({ accounts: office.accounts, clock: eagerClock() })
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'POST' })
    const create = harness.handlers['bareMetal.create']
    const lost = await create(wish())
    expect(lost.state).toEqual({ kind: 'unknown' })
    await expect(create(wish())).rejects.toMatchObject({ failure: { reason: 'outcome-open' } })
    expect((await create({ ...wish(), again: [lost.id] })).state.kind).toBe('created')
    expect(harness.list(account).map(({ state }) => state.kind)).toEqual(['unknown', 'created'])
  })
})

describe('bare metal while there is no network', () => {
  const order = (account: string) => ({
    request: randomUUID(),
    account,
    again: [],
    identityFile: null,
    machine: {
      name: 'metal',
      flavor_id: 'f',
      image_id: 'i',
      ssh_key: { name: 'test', public_key: publicKey },
    },
  })
  const createOver = async (failure: FailureError) => {
    const { office, account } = await open()
    const service = office.accounts.service(account)
    const bareMetal = { ...service.bareMetal, create: () => Promise.reject(failure) }
    const accounts = { ...office.accounts, service: () => ({ ...service, bareMetal }) }
    const { harness } = await openCreation({ accounts, clock: eagerClock() })
    return { harness, account, created: harness.handlers['bareMetal.create'](order(account)) }
  }

  it('fails and leaves nothing behind if the failure came before it was sent', async () => {
    const { harness, account, created } = await createOver(new FailureError({ kind: 'offline' }, true))
    await expect(created).rejects.toMatchObject({ failure: { kind: 'offline' } })
    expect(harness.list(account)).toEqual([])
  })

  it('stays unknown if the failure came after it was sent', async () => {
    const { created } = await createOver(new FailureError({ kind: 'offline' }))
    expect((await created).state).toEqual({ kind: 'unknown' })
  })
})
