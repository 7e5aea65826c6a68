import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { WasteView } from '#shared/bridge/waste'
import { failureOf } from '#shared/failure'
import { sumByCurrency } from '#shared/money/money'
import { control, requestsTo, runSandbox } from '../../../test/fixtures/account-harness'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { startModules } from '../../../test/fixtures/modules-harness'
import { booksOf } from '../../../test/fixtures/spending-harness'

/** Starts the whole application with a sandbox on a fake clock. */
async function open(refused?: string) {
  const sandbox = await runSandbox()
  if (refused !== undefined)
    await control(sandbox, 'POST', '/faults', { kind: 'status', status: 403, path: refused, count: 100 })
  await control(sandbox, 'POST', '/clock', { held: true })
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-waste-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const clock = fakeClock((await booksOf(sandbox)).now)
  const { calls } = startModules({ folder, secrets: memorySecrets(), clock, fetch })
  const { id: account } = await calls['accounts.connect']({
    baseUrl: sandbox.baseUrl,
    credential: { kind: 'api-token', token: sandbox.apiToken },
    staySignedIn: true,
  })
  return {
    sandbox,
    account,
    calls,
    /** Moves both clocks. */
    async pass(seconds: number): Promise<void> {
      await control(sandbox, 'POST', '/clock', { advance: seconds })
      clock.advance(seconds)
    },
    /** Returns the waste once it matches; seconds pass until then. */
    async until(wanted: (view: WasteView) => boolean): Promise<WasteView> {
      const list = async () => calls['waste.list']({ account })
      await expect
        .poll(
          async () => {
            clock.advance(2)
            return wanted(await list())
          },
          { timeout: 120_000, interval: 50 },
        )
        .toBe(true)
      return list()
    },
  }
}
const kindOf = ({ items }: WasteView, id: string) => items.find((item) => item.id === id)?.reason.kind

it('finds costs without use, and adds bare metal from the usage', async () => {
  const { sandbox, account, calls, until } = await open()
  const view = await until(
    ({ unchecked }) => unchecked.filter(({ reason }) => reason.kind === 'bare-metal').length === 3,
  )
  expect(view.items.map(({ reason }) => reason.kind)).not.toContain('unlisted')
  expect(view.items.filter(({ reason }) => reason.kind === 'stopped').length).toBeGreaterThan(0)
  const backup = view.items.find(({ name }) => name === 'forgotten-backup')
  expect(backup).toMatchObject({ reason: { kind: 'detached' }, end: 'delete-volume' })
  expect(view.totals.map(({ perHour }) => perHour)).toEqual(
    sumByCurrency(view.items.flatMap(({ perHour }) => perHour ?? [])),
  )
  const { instances } = await calls['bareMetal.snapshot']({ account })
  expect(instances.map(({ origin }) => origin)).toEqual(['found', 'found', 'found'])

  // Bare metal that the user removed is not added again, and is named by its id.
  const removed = instances[0]?.id ?? ''
  await calls['bareMetal.forget']({ account, instance: removed })
  const before = (await requestsTo(sandbox)).filter((one) => one.includes(removed)).length
  await until((after) => kindOf(after, removed) === 'unlisted')
  expect((await requestsTo(sandbox)).filter((one) => one.includes(removed))).toHaveLength(before)
})

it('reports nothing if the usage was not read or is refused', async () => {
  const { sandbox, account, calls, until } = await open('/billing/resources/usage')
  expect(await calls['waste.list']({ account })).toMatchObject({ items: [], read: false, failure: null })
  await until(({ failure }) => failure !== null)
  // Statements contain past charges, not current ones.
  await expect.poll(() => calls['ledger.state']({ account })).toMatchObject({ lastSync: expect.any(Number) })
  const refused = await until(({ failure }) => failure !== null)
  expect(refused).toMatchObject({ items: [], read: false, failure: { status: 403 } })
  await control(sandbox, 'DELETE', '/faults')
  const after = await until(({ read, failure }) => read && failure === null)
  expect(after.items.length).toBeGreaterThan(0)
})

it('continues while a machine is stopped, and ends when the resource is deleted', async () => {
  const { account, calls, until, pass } = await open()
  await until(({ items }) => items.length > 3)
  const { machines } = await calls['fleet.snapshot']({ account })
  const machine = machines.find(({ status }) => status === 'running')
  if (!machine) throw new Error('a machine runs')
  await calls['machine.power']({ account, machine: machine.id, action: 'stop' })
  await pass(60)
  const before = await until((view) => kindOf(view, machine.id) === 'stopped')
  await calls['machine.delete']({ account, machine: machine.id, name: machine.name })
  await pass(60)
  const after = await until((view) => kindOf(view, machine.id) === undefined)
  expect(after.items.length).toBeGreaterThan(0)
  // The waste so far includes the deleted machine.
  const wasted = before.items.find(({ id }) => id === machine.id)?.soFar?.millionths ?? 0
  const soFar = ({ totals }: WasteView): number => totals[0]?.soFar?.millionths ?? 0
  expect(wasted).toBeGreaterThan(0)
  expect(after.ended[0]?.millionths).toBeGreaterThanOrEqual(wasted)
  expect(soFar(after)).toBeGreaterThanOrEqual(soFar(before))
})

it('detaches a volume of a stopped machine before it is deleted', async () => {
  const { sandbox, account, calls, until, pass } = await open()
  await until(({ items }) => items.length > 3)
  const { machines } = await calls['fleet.snapshot']({ account })
  const { volumes } = await calls['volumes.snapshot']({ account })
  const volume = volumes.find(({ displayName }) => displayName === 'scratch-space')
  const machine = machines.find(
    ({ region, status }) => region === volume?.region.name && status === 'running',
  )
  if (!volume || !machine) throw new Error('a volume and a machine in its region')
  await calls['volumes.attach']({ account, machine: machine.id, volumes: [volume.id] })
  await pass(60)
  await until((view) => kindOf(view, volume.id) === undefined)
  await calls['machine.power']({ account, machine: machine.id, action: 'stop' })
  await pass(60)
  // Another running machine of the region can use the volume now.
  await until((view) => kindOf(view, machine.id) === 'stopped' && kindOf(view, volume.id) === undefined)
  const others = machines.filter(({ id, region }) => id !== machine.id && region === machine.region)
  for (const { id, status } of others)
    if (status === 'running') await calls['machine.power']({ account, machine: id, action: 'stop' })
  await pass(60)
  const { items } = await until((view) => kindOf(view, volume.id) === 'of-stopped')
  expect(items.find(({ id }) => id === volume.id)).toMatchObject({ end: 'detach-and-delete' })
  const name = 'scratch-space'
  const detachFrom = machine.id
  const deleting = calls['volumes.delete']({ account, volume: volume.id, name, detachFrom })
  const isDetaching = async () => (await requestsTo(sandbox)).some((one) => one.startsWith('DELETE'))
  await expect.poll(isDetaching).toBe(true)
  await pass(60)
  await until((view) => kindOf(view, volume.id) === undefined)
  expect(await deleting).toEqual({ kind: 'done' })
  const sent = (await requestsTo(sandbox)).filter((request) => request.startsWith('DELETE'))
  expect(sent).toEqual([
    `DELETE /virtual-machines/${machine.id}/volumes/${volume.id} 200`,
    `DELETE /volumes/${volume.id} 200`,
  ])
})

it('does not delete a volume that was attached again while it was being detached', async () => {
  const { sandbox, account, calls, until, pass } = await open()
  await until(({ items }) => items.length > 3)
  const { machines } = await calls['fleet.snapshot']({ account })
  const { volumes } = await calls['volumes.snapshot']({ account })
  const volume = volumes.find(({ displayName }) => displayName === 'scratch-space')
  const [first, second] = machines.filter(
    ({ region, status }) => region === volume?.region.name && status === 'running',
  )
  if (!volume || !first || !second) throw new Error('a volume and two machines in its region')
  await calls['volumes.attach']({ account, machine: first.id, volumes: [volume.id] })
  await pass(60)
  await until(({ items }) => items.every(({ id }) => id !== volume.id))
  const request = { account, volume: volume.id, name: 'scratch-space', detachFrom: first.id }
  let isOver = false
  const deleteIt = async () => {
    try {
      return await calls['volumes.delete'](request)
    } catch (error) {
      return failureOf(error, 'volumes.delete')
    } finally {
      isOver = true
    }
  }
  const outcome = deleteIt()
  const requests = () => requestsTo(sandbox)
  await expect.poll(async () => (await requests()).some((one) => one.startsWith('DELETE'))).toBe(true)
  await control(sandbox, 'POST', '/clock', { advance: 60 })
  const attaching = await fetch(`${sandbox.baseUrl}/virtual-machines/${second.id}/volumes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.apiToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ volume_ids: [volume.id] }),
  })
  expect(attaching.status).toBe(200)
  await control(sandbox, 'POST', '/clock', { advance: 60 })
  await until(() => isOver)
  expect(await outcome).toEqual({ kind: 'invalid-input', field: 'volume', reason: 'still-attached' })
  expect((await requests()).filter((one) => one.startsWith('DELETE /volumes'))).toEqual([])
})
