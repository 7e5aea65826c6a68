import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { accountVolumes, type VolumeSource } from './account-volumes'
import { type Remembered, RememberedVolume } from './memory'

const now = 10_000
const reading = { items: [], unreadable: [], total: 0, complete: true }

/** The volumes of an account of which this is remembered, whose lists name none of them. */
const open = (fields: object, listed: boolean) => {
  const clock = fakeClock(now)
  let remembered: Remembered = { a: RememberedVolume.parse(fields) }
  let revision = 0
  const source: VolumeSource = {
    mayList: () => listed,
    list: () => Promise.resolve({ items: [], total: 0 }),
    usage: () =>
      Promise.resolve({
        ...{ ...reading, asOf: clock.now(), seenAt: () => clock.now(), everything: true },
        revision: (revision += 1),
      }),
    regions: () => Promise.resolve([]),
    expected: () => false,
    remembered: () => remembered,
    remember: (next) => (remembered = next),
  }
  const volumes = accountVolumes('abcdefghijkl', source, clock, () => undefined)
  return { clock, volumes, view: () => volumes.view('a') }
}

it('a status that an answer reported holds a minute, however the clock is set back meanwhile', async () => {
  const { clock, volumes, view } = open({ reported: { status: 'creating', at: now } }, false)
  await volumes.refresh()
  clock.set(now - 3_600)
  await volumes.refresh()
  expect(view()?.status).toBe('creating')
  clock.advance(60)
  await volumes.refresh()
  expect(view()?.status).toBeNull()
})

it('one that was created here and never listed is gone after a minute, however the clock is set back', async () => {
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
