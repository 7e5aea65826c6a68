import { expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import { Volume } from '#shared/service/volume'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { accountVolumes, type VolumeSource } from './account-volumes'
import { type Remembered, RememberedVolume } from './remembered-volumes'

const now = 10_000
const reading = { items: [], unreadable: [], total: 0, complete: true }

/** Opens the volumes of an account with this memory, whose lists are empty. */
const open = (fields: object, listed: boolean, items: readonly Volume[] = []) => {
  const clock = fakeClock(now)
  let remembered: Remembered = { a: RememberedVolume.parse(fields) }
  let revision = 0
  let isRefused = false
  const source: VolumeSource = {
    mayList: () => listed,
    list: () =>
      isRefused
        ? Promise.reject(new FailureError({ kind: 'not-offered-by-service', what: 'list-volumes' }))
        : Promise.resolve({ items: [...items], total: items.length }),
    usage: () =>
      Promise.resolve({
        ...reading,
        asOf: clock.now(),
        seenAt: () => clock.now(),
        everything: true,
        revision: (revision += 1),
      }),
    regions: () => Promise.resolve([]),
    expected: () => false,
    remembered: () => remembered,
    remember: (next) => (remembered = next),
  }
  const volumes = accountVolumes('abcdefghijkl', source, clock, () => undefined)
  return {
    clock,
    volumes,
    view: (id = 'a') => volumes.view(id),
    refuseList: () => void (isRefused = true),
  }
}

it('a status reported by an answer holds for a minute, even if the clock is set back', async () => {
  const { clock, volumes, view } = open({ reported: { status: 'creating', at: now } }, false)
  await volumes.refresh()
  clock.set(now - 3_600)
  await volumes.refresh()
  expect(view()?.status).toBe('creating')
  clock.advance(60)
  await volumes.refresh()
  expect(view()?.status).toBeNull()
})

it('a created volume that was never listed disappears after a minute, even if the clock is set back', async () => {
  const { clock, volumes, view } = open({ createdAt: now }, true)
  await volumes.refresh()
  clock.set(now - 3_600)
  clock.advance(30)
  await volumes.refresh()
  expect(view()).toBeDefined()
  clock.advance(30)
  await volumes.refresh()
  expect(view()).toBeUndefined()
})

it('the status and attachment of a listed volume are unknown once the service refuses to list volumes', async () => {
  const { volumes, view, refuseList } = open({ attachment: { machine: 'm1', at: now - 100 } }, true, [
    Volume.parse({ id: 'a', status: 'in-use' }),
    Volume.parse({ id: 'b', status: 'available' }),
  ])
  await volumes.refresh()
  expect([view()?.attachment, view('b')?.attachment]).toEqual([
    { kind: 'attached', machine: 'm1' },
    { kind: 'detached' },
  ])
  refuseList()
  await volumes.refresh()
  expect([view()?.attachment, view('b')?.attachment]).toEqual([
    { kind: 'unknown', lastMachine: 'm1' },
    { kind: 'unknown' },
  ])
  expect([view()?.status, view('b')?.status]).toEqual([null, null])
})
