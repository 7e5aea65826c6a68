import { expect, it } from 'vitest'
import { fakeClock } from '../../../../test/fixtures/fake-clock'
import { connectionRoom, type MachineEntry, newEntry } from './machine-entry'

it('the turn of a machine starts over once it is connected, however long its sign-in waited', () => {
  const clock = fakeClock(1_795_269_600)
  const paused: string[] = []
  const room = connectionRoom(2, clock, ({ machine }: MachineEntry) => paused.push(machine))
  const [slow, quick, next] = ['slow', 'quick', 'next'].map((id) => newEntry('abcdefghijkl', id))
  if (!slow || !quick || !next) expect.fail()
  expect([slow, quick, next].map(room.occupy)).toEqual([true, true, false])
  room.opened(quick)
  clock.advance(300)
  room.opened(slow)
  clock.advance(120)
  expect(paused).toEqual(['quick'])
  expect(room.occupy(next)).toBe(true)
  clock.advance(285)
  expect(paused).toEqual(['quick', 'slow'])
  room.close()
})
