import { mkdtemp, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { VolumesChange, VolumesSnapshot } from '#shared/bridge/volume'
import { FailureError } from '#shared/failure'
import type { NewVolume } from '#shared/service/volume'
import { connect, control, requestsTo, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { must } from '../../../test/fixtures/service-client'
import { createCatalog } from '../catalog/index'
import { systemClock } from '../core/clock'
import { openSettings } from '../store/settings'
import { createVolumes, type Volumes } from './index'
import { createUsage } from '../usage/index'

const absent = (what: string) => new FailureError({ kind: 'not-offered-by-service', what })

/** Opens the volumes of a sandbox account. `listed`: whether the service lists and deletes them. */
const open = async ({ listed }: { readonly listed: boolean }) => {
  const sandbox = await runSandbox()
  const harness = await setUp()
  const { id: account } = await connect(harness, sandbox)
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-volumes-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { accounts } = harness
  const catalog = createCatalog({ accounts, clock: systemClock })
  let settings = openSettings(folder)
  const start = (): Volumes => {
    const kept = settings
    const volumes = createVolumes({
      accounts,
      documents: kept,
      usage: createUsage({ accounts, clock: systemClock }),
      extensions: {
        mayList: () => listed,
        list: (id, page) => accounts.service(id).volumes.list(page),
        types: (id, region) => accounts.service(id).volumeTypes.list(region),
        remove: (id, volume) =>
          listed ? accounts.service(id).volumes.remove(volume) : Promise.reject(absent('delete-volume')),
      },
      regions: async (id) => (await catalog.regions({ account: id, kind: 'machine' })).items,
      clock: fakeClock(Date.now() / 1000),
      online: () => true,
      report: (action, error) => {
        throw new Error(action, { cause: error })
      },
    })
    onTestFinished(async () => {
      // Background work ends before the folder is deleted.
      await volumes.handlers['volumes.refresh']({ account })
      volumes.close()
      await kept.close()
    })
    return volumes
  }
  const volumes = start()
  /** Closes the application. Only files remain. */
  const restart = async (): Promise<Volumes> => {
    await settings.close()
    settings = openSettings(folder)
    return start()
  }
  const read = async (from = volumes): Promise<VolumesSnapshot> => {
    await from.handlers['volumes.refresh']({ account })
    return from.handlers['volumes.snapshot']({ account })
  }
  const named = async (name: string, from = volumes) =>
    must((await read(from)).volumes.find(({ displayName }) => displayName === name))
  const machine = async (name: string) =>
    must(
      (await accounts.service(account).machines.list({ limit: 200 })).items.find((one) => one.name === name),
    )
  const types = await accounts.service(account).volumeTypes.list('us-east-1')
  const wanted: NewVolume = {
    display_name: 'mine',
    region_id: 'us-east-1',
    type_id: must(types[0]).id,
    size: 10,
  }
  const create = (from = volumes) =>
    from.handlers['volumes.create']({
      account,
      request: randomUUID(),
      again: [],
      volume: wanted,
      regionName: 'Virginia',
    })
  return { sandbox, account, volumes, restart, read, named, machine, wanted, create }
}

describe('the volumes of a service that lists them', () => {
  it('are listed with their full region and their own status', async () => {
    const { read } = await open({ listed: true })
    const { status, volumes } = await read()
    expect(status).toMatchObject({ listed: true, total: 11, failure: null })
    expect(volumes.find(({ displayName }) => displayName === 'golden-image')).toMatchObject({
      size: 120,
      bootable: true,
      region: { id: 'eu-north-1', name: 'Oslo' },
      attachment: { kind: 'detached' },
    })
  })

  it('are followed from creation to attachment to detachment', async () => {
    const { account, volumes, create, named, machine } = await open({ listed: true })
    await create()
    await expect.poll(async () => (await named('mine')).status).toBe('available')
    const { id } = await named('mine')
    const { id: on } = await machine('train-llama-01')
    await volumes.handlers['volumes.attach']({ account, machine: on, volumes: [id] })
    await expect.poll(async () => (await named('mine')).status).toBe('in-use')
    expect((await named('mine')).attachment).toEqual({ kind: 'attached', machine: on })
    await volumes.handlers['volumes.detach']({ account, machine: on, volume: id })
    await expect.poll(async () => (await named('mine')).attachment).toEqual({ kind: 'detached' })
  })

  it('are looked up if the answer to attaching is lost', async () => {
    const { account, volumes, named, machine, sandbox } = await open({ listed: true })
    const { id } = await named('scratch-space')
    const { id: on } = await machine('train-llama-01')
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'POST' })
    const order = { account, machine: on, volumes: [id] }
    expect(await volumes.handlers['volumes.attach'](order)).toMatchObject({ kind: 'unknown' })
    expect(await volumes.handlers['volumes.lookUp']({ ...order, wanted: 'attached' })).toBe('done')
    expect((await named('scratch-space')).attachment).toEqual({ kind: 'attached', machine: on })
    const sent = (await requestsTo(sandbox)).filter((one) => /^POST .*\/volumes /.test(one))
    expect(sent).toHaveLength(1)
  })

  it('an attached volume does not prove a lost attachment if it was attached before', async () => {
    const { account, volumes, named, machine, sandbox } = await open({ listed: true })
    const { id } = await named('scratch-space')
    const [{ id: first }, { id: second }] = [await machine('train-llama-01'), await machine('train-llama-02')]
    await volumes.handlers['volumes.attach']({ account, machine: first, volumes: [id] })
    await expect.poll(async () => (await named('scratch-space')).status).toBe('in-use')
    await control(sandbox, 'POST', '/faults', { kind: 'drop', method: 'POST', path: '/volumes', count: 9 })
    const order = { account, machine: second, volumes: [id] }
    expect(await volumes.handlers['volumes.attach'](order)).toMatchObject({ kind: 'unknown' })
    expect(await volumes.handlers['volumes.lookUp']({ ...order, wanted: 'attached' })).toBe('unknown')
    expect((await named('scratch-space')).attachment).toEqual({ kind: 'attached', machine: first })
  })

  it('an attachment whose answer was lost names the machine that was requested', async () => {
    const { account, volumes, named, machine, sandbox } = await open({ listed: true })
    const { id } = await named('scratch-space')
    const { id: on } = await machine('train-llama-01')
    await control(sandbox, 'POST', '/faults', {
      kind: 'drop',
      when: 'after',
      method: 'POST',
      path: '/volumes',
    })
    await volumes.handlers['volumes.attach']({ account, machine: on, volumes: [id] })
    await expect
      .poll(async () => (await named('scratch-space')).attachment)
      .toEqual({ kind: 'attached', machine: null, lastMachine: on })
  })

  it('are looked up if the answer to detaching is lost', async () => {
    const { account, volumes, named, machine, sandbox } = await open({ listed: true })
    const { id } = await named('scratch-space')
    const { id: on } = await machine('train-llama-01')
    await volumes.handlers['volumes.attach']({ account, machine: on, volumes: [id] })
    await expect.poll(async () => (await named('scratch-space')).status).toBe('in-use')
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'DELETE' })
    const outcome = await volumes.handlers['volumes.detach']({ account, machine: on, volume: id })
    expect(outcome).toMatchObject({ kind: 'unknown' })
    const order = { account, machine: on, volumes: [id] }
    expect(await volumes.handlers['volumes.lookUp']({ ...order, wanted: 'detached' })).toBe('done')
    expect((await named('scratch-space')).attachment).toEqual({ kind: 'detached' })
  })

  it('are neither reported as deleted nor deleted again if the answer is lost', async () => {
    const { account, volumes, named, sandbox } = await open({ listed: true })
    const { id } = await named('scratch-space')
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'DELETE' })
    const outcome = await volumes.handlers['volumes.delete']({ account, volume: id, name: 'scratch-space' })
    expect(outcome).toMatchObject({ kind: 'unknown', failure: { kind: 'cannot-connect' } })
    const sent = (await requestsTo(sandbox)).filter((request) => request.startsWith('DELETE'))
    expect(sent).toHaveLength(1)
  })

  it('leave the list when they are deleted', async () => {
    const { account, volumes, named, read } = await open({ listed: true })
    const { id } = await named('scratch-space')
    await expect(
      volumes.handlers['volumes.delete']({ account, volume: id, name: 'scratch' }),
    ).rejects.toMatchObject({ failure: { kind: 'invalid-input', field: 'name', reason: 'not-the-name' } })
    const outcome = await volumes.handlers['volumes.delete']({ account, volume: id, name: 'scratch-space' })
    expect(outcome).toEqual({ kind: 'done' })
    await expect.poll(async () => (await read()).volumes.map((volume) => volume.id)).not.toContain(id)
  })
})

describe('the volumes of a service that does not list them', () => {
  it('are derived from usage, without requesting the list', async () => {
    const { read, sandbox } = await open({ listed: false })
    const { status, volumes } = await read()
    expect(status).toMatchObject({ listed: false, total: null, failure: null })
    expect(volumes).toHaveLength(11)
    expect(volumes.every(({ attachment, size }) => attachment.kind === 'unknown' && size === null)).toBe(true)
    expect((await requestsTo(sandbox)).some((request) => request.startsWith('GET /volumes'))).toBe(false)
  })

  it('have an unknown attachment if the answer is lost', async () => {
    const { account, volumes, named, machine, sandbox } = await open({ listed: false })
    const { id } = await named('scratch-space')
    const { id: on } = await machine('train-llama-01')
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'POST' })
    const order = { account, machine: on, volumes: [id] }
    expect(await volumes.handlers['volumes.attach'](order)).toMatchObject({ kind: 'unknown' })
    expect(await volumes.handlers['volumes.lookUp']({ ...order, wanted: 'attached' })).toBe('unknown')
  })

  it('created or attached here are known after a restart', async () => {
    const { account, volumes, create, named, machine, restart } = await open({ listed: false })
    await create()
    const { id: on } = await machine('train-llama-01')
    const scratch = await named('scratch-space')
    await volumes.handlers['volumes.attach']({ account, machine: on, volumes: [scratch.id] })
    await volumes.handlers['volumes.refresh']({ account })
    const again = await restart()
    expect(await named('mine', again)).toMatchObject({
      size: 10,
      region: { id: 'us-east-1', name: 'Virginia' },
      bootable: false,
    })
    expect((await named('scratch-space', again)).attachment).toEqual({ kind: 'attached', machine: on })
  })

  it('remember the type that was entered for their region', async () => {
    const { account, sandbox, volumes, create, wanted } = await open({ listed: false })
    await create()
    await control(sandbox, 'POST', '/faults', {
      kind: 'status',
      status: 404,
      path: '/volume-types',
      count: 9,
    })
    const types = (region: string) => volumes.handlers['volumes.types']({ account, region })
    expect(await types('us-east-1')).toEqual({
      offered: false,
      items: [{ id: wanted.type_id, name: wanted.type_id }],
    })
    expect(await types('eu-west-1')).toEqual({ offered: false, items: [] })
  })
})

describe.each([{ listed: true }, { listed: false }])(
  'a creation without an answer, listed: $listed',
  (options) => {
    it('is found by its name if the service acted, and is sent once', async () => {
      const { sandbox, create, read } = await open(options)
      await read()
      await control(sandbox, 'POST', '/faults', {
        kind: 'drop',
        when: 'after',
        method: 'POST',
        path: '/volumes',
      })
      expect(await create()).toMatchObject({ kind: 'found' })
      const { volumes } = await read()
      expect(volumes.filter(({ displayName }) => displayName === 'mine')).toHaveLength(1)
      const sent = (await requestsTo(sandbox)).filter((request) => request.startsWith('POST /volumes'))
      expect(sent).toHaveLength(1)
    })

    it('stays unknown if there is no volume of that name, and is not resent', async () => {
      const { sandbox, create, read } = await open(options)
      await read()
      await control(sandbox, 'POST', '/faults', {
        kind: 'drop',
        when: 'before',
        method: 'POST',
        path: '/volumes',
      })
      expect(await create()).toMatchObject({ kind: 'unknown', failure: { kind: 'cannot-connect' } })
      const sent = (await requestsTo(sandbox)).filter((request) => request.startsWith('POST /volumes'))
      expect(sent.length).toBeLessThan(2)
    })
  },
)

describe('a creation whose outcome is open when the application ends', () => {
  const posts = async (sandbox: Parameters<typeof requestsTo>[0]) =>
    (await requestsTo(sandbox)).filter((request) => request.startsWith('POST /volumes'))
  const lose = (sandbox: Parameters<typeof control>[0], when: 'before' | 'after') =>
    control(sandbox, 'POST', '/faults', { kind: 'drop', when, method: 'POST', path: '/volumes' })

  it('is known afterwards, and resent only if the user confirms', async () => {
    const { sandbox, account, create, restart, wanted } = await open({ listed: true })
    await lose(sandbox, 'before')
    expect(await create()).toMatchObject({ kind: 'unknown' })
    const again = await restart()
    await again.start()
    const [left, ...others] = await again.handlers['volumes.pendingCreations']({ account })
    expect(others).toEqual([])
    expect(left).toMatchObject({ name: 'mine', state: 'unknown', cause: { kind: 'cannot-connect' } })
    const sent = (await posts(sandbox)).length
    await expect(create(again)).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'volume.display_name', reason: 'outcome-open' },
    })
    // The same form under another name is resent neither.
    const request = must(must(left).request)
    const renamed = { ...wanted, display_name: 'renamed' }
    const same = { account, request, again: [], volume: renamed, regionName: null }
    await expect(again.handlers['volumes.create'](same)).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'volume.display_name', reason: 'outcome-open' },
    })
    expect(await posts(sandbox)).toHaveLength(sent)
    const confirmed = { account, request, again: [must(left).id], volume: wanted, regionName: null }
    expect(await again.handlers['volumes.create'](confirmed)).toMatchObject({ kind: 'created' })
    await again.handlers['volumes.dismiss']({ account, creation: must(left).id })
    expect(await again.handlers['volumes.pendingCreations']({ account })).toEqual([])
  })
})

it('an old volume of the same name does not match a lost creation whose baseline failed', async () => {
  const { sandbox, account, volumes, read, wanted } = await open({ listed: true })
  const refused = { kind: 'status', status: 502, method: 'GET', path: '/volumes', count: 1_000 }
  await control(sandbox, 'POST', '/faults', refused)
  await control(sandbox, 'POST', '/faults', { kind: 'drop', method: 'POST', path: '/volumes' })
  const volume = { ...wanted, display_name: 'scratch-space' }
  const order = { account, request: randomUUID(), again: [], volume, regionName: 'Virginia' }
  expect(await volumes.handlers['volumes.create'](order)).toMatchObject({ kind: 'unknown' })
  await control(sandbox, 'DELETE', '/faults')
  expect((await read()).volumes.map(({ displayName }) => displayName)).toContain('scratch-space')
  const pending = await volumes.handlers['volumes.pendingCreations']({ account })
  expect(pending).toMatchObject([{ name: 'scratch-space', state: 'unknown' }])
})

it('a published change follows the snapshot before it', async () => {
  const { account, volumes, create, read } = await open({ listed: true })
  const before = await read()
  const changes: VolumesChange[] = []
  volumes.onChange((change) => changes.push(change))
  await create()
  expect(changes[0]).toMatchObject({ account, revision: before.revision + 1, removes: [] })
  expect(changes.map(({ revision }) => revision)).toEqual(changes.map((_, at) => before.revision + 1 + at))
  expect(changes.flatMap(({ upserts }) => upserts.map(({ displayName }) => displayName))).toContain('mine')
})
