import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { BareMetalChange } from '#shared/bridge/bare-metal'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { connect, control, requestsTo, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { openSettings } from '../store/settings'
import { createBareMetal } from './index'

const State = z.object({
  data: z.object({
    bare_metal: z.array(z.object({ id: z.string(), name: z.string(), address: z.string() })),
  }),
})

const open = async () => {
  const sandbox = await runSandbox()
  const harness = await setUp()
  const { id: account } = await connect(harness, sandbox)
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-bare-metal-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const settings = openSettings(folder)
  onTestFinished(() => settings.close())
  const changes: BareMetalChange[] = []
  const start = (readsFile = false) => {
    const bareMetal = createBareMetal({
      accounts: harness.accounts,
      documents: readsFile ? openSettings(folder) : settings,
      clock: fakeClock(1_000_000),
      online: () => true,
    })
    bareMetal.onChange((change) => changes.push(change))
    onTestFinished(() => bareMetal.close())
    return bareMetal
  }
  const [there] = State.parse(await control(sandbox, 'GET', '/state')).data.bare_metal
  if (!there) throw new Error('the sandbox has bare metal')
  const bareMetal = start()
  const { handlers } = bareMetal
  const list = async () => (await handlers['bareMetal.snapshot']({ account })).instances
  const add = (instance = there.id) => handlers['bareMetal.add']({ account, instance })
  return { sandbox, harness, account, there, start, bareMetal, handlers, list, add, changes }
}

describe('bare metal', () => {
  it('is unknown until its id is added, and then reported like a machine', async () => {
    const { list, add, there } = await open()
    expect(await list()).toEqual([])
    expect(await add()).toMatchObject({
      id: there.id,
      name: there.name,
      address: there.address,
      username: null,
      origin: 'added',
      presence: 'there',
      knownSince: 1_000_000,
    })
    await add()
    expect(await list()).toHaveLength(1)
  })

  it('is not remembered if the service does not know the id', async () => {
    const { list, add } = await open()
    await expect(add('nothing')).rejects.toMatchObject({
      failure: { kind: 'refused-by-service', status: 404 },
    })
    expect(await list()).toEqual([])
  })

  it('is known after a restart, and read by its id', async () => {
    const { add, start, account, there, sandbox } = await open()
    await add()
    await control(sandbox, 'DELETE', '/requests')
    const again = start(true)
    expect(again.view(account, there.id)).toMatchObject({ name: there.name })
    await again.handlers['bareMetal.refresh']({ account })
    expect(again.view(account, there.id)).toMatchObject({ presence: 'there', address: there.address })
    expect(await requestsTo(sandbox)).toContain(`GET /bare-metal/instances/${there.id} 200`)
  })

  it('is known at once after a creation here, and stays marked as created', async () => {
    const { bareMetal, account, there, add, handlers } = await open()
    await bareMetal.created(account, { id: there.id, name: 'as typed' })
    expect(bareMetal.view(account, there.id)).toMatchObject({ origin: 'created' })
    await handlers['bareMetal.refresh']({ account })
    expect(await add()).toMatchObject({ origin: 'created', name: there.name })
  })

  it('stays in the list as gone until it is removed', async () => {
    const { add, sandbox, account, there, handlers, list } = await open()
    await add()
    await control(sandbox, 'DELETE', `/resources/${there.id}`)
    await handlers['bareMetal.refresh']({ account })
    expect(await list()).toMatchObject([{ id: there.id, name: there.name, presence: 'gone' }])
    await handlers['bareMetal.forget']({ account, instance: there.id })
    expect(await list()).toEqual([])
  })

  it('keeps its last state when it cannot be read, and the list reports why', async () => {
    const { add, sandbox, account, handlers } = await open()
    await add()
    await handlers['bareMetal.refresh']({ account })
    await control(sandbox, 'POST', '/faults', { kind: 'status', status: 500, path: '/bare-metal', count: 5 })
    await handlers['bareMetal.refresh']({ account })
    expect(await handlers['bareMetal.snapshot']({ account })).toMatchObject({
      instances: [{ presence: 'there' }],
      status: { asOf: 1_000_000, failure: { kind: 'refused-by-service', status: 500 } },
    })
  })

  it('reveals its secrets one at a time', async () => {
    const { add, sandbox, account, there, bareMetal, list, handlers } = await open()
    await add()
    await control(sandbox, 'POST', '/faults', {
      kind: 'status',
      status: 200,
      path: '/bare-metal',
      body: JSON.stringify({
        status: true,
        message: 'Instance',
        data: {
          id: there.id,
          name: there.name,
          console_url: 'https://x?token=do not reveal',
          login: { password: 'do not reveal either' },
        },
      }),
    })
    await handlers['bareMetal.refresh']({ account })
    expect(JSON.stringify(await list())).not.toContain('do not reveal')
    const ref = { kind: 'machine-field', machine: there.id, path: 'console_url' } as const
    expect(bareMetal.secret(account, ref)).toBe('https://x?token=do not reveal')
    const password = { kind: 'machine-password', machine: there.id } as const
    expect(bareMetal.secret(account, password)).toBe('do not reveal either')
  })

  it('is forgotten with its account', async () => {
    const { add, bareMetal, account, start } = await open()
    await add()
    await bareMetal.forgetAccount(account)
    const again = start(true)
    expect((await again.handlers['bareMetal.snapshot']({ account })).instances).toEqual([])
  })
})
