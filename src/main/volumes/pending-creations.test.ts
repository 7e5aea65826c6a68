import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { openSettings } from '../store/settings'
import { openPendingCreations } from './pending-creations'
import { newView } from './views'

const account = 'abcdefghij12'
const now = 10_000
const volume = (id: string, displayName = 'mine') => ({ ...newView(id), displayName })
const wish = (id: string, request = `form of ${id}`) => ({
  id,
  request,
  account,
  name: 'mine',
  sentAt: now,
  region: 'r',
  size: 10,
})

const whole = (ids: readonly string[] = []) => ({ ids, isWhole: true })

const open = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-open-volumes-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  let settings = openSettings(folder)
  const clock = fakeClock(now)
  return {
    clock,
    creations: openPendingCreations(settings, clock),
    /** Closes the application. Only files remain. */
    async restart() {
      await settings.close()
      settings = openSettings(folder)
      const creations = openPendingCreations(settings, clock)
      await creations.resume()
      return creations
    },
  }
}

it('a creation that was being sent when the application ended is open, and found by a later reading', async () => {
  const { creations, restart } = await open()
  await creations.add(wish('a'), whole(['old']))
  const again = await restart()
  expect(again.list(account)).toEqual([{ ...wish('a'), state: 'unknown', cause: null }])
  const found: string[] = []
  again.onChange((change) => found.push(...change.found.map(({ id }) => id)))
  await again.compare(account, [volume('old'), volume('other', 'theirs')])
  expect(again.list(account)).toHaveLength(1)
  await again.compare(account, [volume('old'), volume('new')])
  expect(found).toEqual(['new'])
  expect(again.list(account)).toEqual([])
  expect(again.recognised('a')).toBe('new')
})

it('a found volume names the form that it was sent from, whatever is entered there now', async () => {
  const { creations } = await open()
  await creations.add(wish('a', 'form-1'), whole())
  await creations.unanswered(account, 'a', null)
  const found: unknown[] = []
  creations.onChange((change) => found.push(...change.found))
  await creations.compare(account, [volume('new')])
  expect(found).toEqual([{ id: 'new', name: 'mine', request: 'form-1' }])
})

it('a volume may turn up for two minutes, however the clock is set', async () => {
  const { creations, clock } = await open()
  await creations.add(wish('a'), whole())
  clock.set(now - 3_600)
  clock.advance(119)
  expect(creations.expected(account)).toBe(true)
  clock.advance(1)
  expect(creations.expected(account)).toBe(false)
})

it('no reading settles a creation that is still being sent', async () => {
  const { creations } = await open()
  await creations.add(wish('a'), whole())
  await creations.compare(account, [volume('new')])
  expect(creations.list(account)).toMatchObject([{ id: 'a', state: 'sending' }])
})

it('one volume never matches two creations', async () => {
  const { creations } = await open()
  for (const id of ['a', 'b']) {
    await creations.add(wish(id), whole())
    await creations.unanswered(account, id, null)
  }
  await creations.compare(account, [volume('new')])
  expect(creations.list(account).map(({ id }) => id)).toEqual(['b'])
  await creations.compare(account, [volume('new')])
  expect(creations.list(account).map(({ id }) => id)).toEqual(['b'])
})

it('no volume matches if several new volumes have the name', async () => {
  const { creations } = await open()
  await creations.add(wish('a'), whole())
  await creations.unanswered(account, 'a', null)
  await creations.compare(account, [volume('one'), volume('two')])
  expect(creations.list(account)).toHaveLength(1)
})

it('a volume that is listed later does not match a creation whose baseline could not be read', async () => {
  const { creations, restart } = await open()
  await creations.add(wish('a'), { ids: [], isWhole: false })
  await creations.unanswered(account, 'a', null)
  await creations.compare(account, [volume('old')])
  expect(creations.list(account)).toHaveLength(1)
  const again = await restart()
  await again.compare(account, [volume('old')])
  expect(again.list(account)).toMatchObject([{ id: 'a', state: 'unknown' }])
})
