import { describe, expect, it } from 'vitest'
import { Machine } from '#shared/service/machine'
import { machineView } from '../fleet/machine-view'
import { type Known, lostSignIn, machineEvents } from './events'
import type { MachineView } from '#shared/bridge/fleet'
import type { AccountView } from '#shared/bridge/account'

const machine = (id: string, status = 'running') =>
  machineView(Machine.parse({ id, name: `name of ${id}`, status }))
const change = (asOf: number | null, upserts: MachineView[], removes: string[] = []) => ({
  upserts,
  removes,
  status: { asOf },
})
const follow = (...changes: ReturnType<typeof change>[]) => {
  let known: Known<MachineView> | undefined
  return changes.map((one) => {
    const step = machineEvents(known, one)
    known = step.known
    return step.events
  })
}

describe('events of machines', () => {
  it('begin after the list was read completely, in one piece or several', () => {
    const [first, second, third] = follow(
      change(null, [machine('a')]),
      change(10, [machine('b')]),
      change(20, [machine('c', 'creating')]),
    )
    expect(first).toEqual([])
    expect(second).toEqual([])
    expect(third).toEqual([{ kind: 'machine-new', machine: 'c', name: 'name of c', status: 'creating' }])
  })

  it('contain each state once, and the end of a machine', () => {
    const [, moved, same, gone] = follow(
      change(10, [machine('a')]),
      change(20, [machine('a', 'stopped')]),
      change(30, [{ ...machine('a', 'stopped'), address: '10.0.0.1' }]),
      change(40, [], ['a', 'never-seen']),
    )
    expect(moved).toEqual([{ kind: 'machine-state', machine: 'a', name: 'name of a', status: 'stopped' }])
    expect(same).toEqual([])
    expect(gone).toEqual([{ kind: 'machine-gone', machine: 'a', name: 'name of a' }])
  })

  it('contain nothing of a signed-out account, nor of the first list after the next sign-in', () => {
    const [, left, again] = follow(
      change(10, [machine('a')]),
      change(null, [], ['a']),
      change(30, [machine('a'), machine('b')]),
    )
    expect(left).toEqual([])
    expect(again).toEqual([])
  })
})

it('a sign-in is lost if it ends by itself, not if the user ends it', () => {
  const account = (state: AccountView['state'], lost = false): AccountView => ({
    id: 'abcdefghijkl',
    label: 'research-lab',
    baseUrl: 'https://cloud.example/api/v1',
    credential: 'password',
    username: 'anna',
    sandbox: false,
    state,
    staysSignedIn: true,
    heldUntil: null,
    failure: lost ? { kind: 'not-signed-in', reason: 'expired' } : null,
  })
  expect(lostSignIn(account('signed-in'), account('signed-out', true))).toBe(true)
  expect(lostSignIn(account('signed-in'), account('signed-out'))).toBe(false)
  expect(lostSignIn(account('signing-in'), account('signed-out', true))).toBe(false)
  expect(lostSignIn(undefined, account('signed-out', true))).toBe(false)
})
