import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FleetChange } from '#shared/bridge/fleet'
import { FailureError } from '#shared/failure'
import { Machine } from '#shared/service/machine'
import type { Page, PageQuery } from '#shared/service/page'
import { useSandboxClient } from '../../../test/fixtures/service-client'
import { dataOf } from '../service/http'
import type { LastPages } from '../service/last-pages'
import { accountFleet } from './account-fleet'

const account = 'abcdefghijkl'
const machine = (id: string, status = 'running'): Machine => Machine.parse({ id, name: `name-${id}`, status })
const refusal = (status: number) =>
  new FailureError({ kind: 'refused-by-service', message: 'not found', status })

/** Failure of a failing reading. */
function catching(read: () => unknown): FailureError {
  try {
    read()
  } catch (error) {
    if (error instanceof FailureError) return error
  }
  return expect.fail('it was read')
}

describe('the fleet of one account', () => {
  let listed: Machine[]
  let known: Map<string, Machine | FailureError>
  let lists: number
  /** Difference between the reported total and the list, at each page request. */
  let excess: (request: number) => number
  let failing: FailureError | undefined
  let changes: FleetChange[]
  let clock: number
  let fleet: ReturnType<typeof accountFleet>

  beforeEach(() => {
    listed = [machine('1'), machine('2')]
    known = new Map()
    lists = 0
    excess = () => 0
    failing = undefined
    changes = []
    clock = 1000
    fleet = accountFleet(
      account,
      {
        list({ limit = 10, offset = 0 }: PageQuery): Promise<Page<Machine>> {
          lists += 1
          if (failing) return Promise.reject(failing)
          return Promise.resolve({
            items: listed.slice(offset, offset + limit),
            total: listed.length + excess(lists),
          })
        },
        get(id) {
          const answer = known.get(id) ?? refusal(404)
          return answer instanceof FailureError ? Promise.reject(answer) : Promise.resolve(answer)
        },
      },
      () => clock,
      (change) => changes.push(change),
    )
  })

  const applied = () => {
    const seen = new Map<string, string | null>()
    for (const change of changes) {
      for (const id of change.removes) seen.delete(id)
      for (const view of change.upserts) seen.set(view.id, view.status)
    }
    return [...seen]
  }

  it.each([null, [], {}])(
    'drops a deleted machine whose detail is %j after two complete lists',
    async (data) => {
      await fleet.refresh()
      listed = [machine('2')]
      known.set(
        '1',
        catching(() => dataOf(data, Machine)),
      )
      await fleet.refresh()
      expect(applied().map(([id]) => id)).toContain('1')
      await fleet.refresh()
      expect(applied().map(([id]) => id)).toEqual(['2'])
    },
  )

  it('publishes once when an answer is overdue, also while the list is read, and not after a sign-out', async () => {
    await fleet.refresh()
    const before = changes.length
    fleet.expect(1_045)
    fleet.expect(1_045)
    expect(changes.slice(before)).toMatchObject([{ upserts: [], removes: [], status: { overdueAt: 1_045 } }])
    await fleet.refresh()
    expect(fleet.snapshot().status).toMatchObject({ asOf: clock, overdueAt: 1_045 })
    fleet.expect(undefined)
    expect(fleet.snapshot().status).not.toHaveProperty('overdueAt')
    fleet.expect(2_000)
    fleet.clear()
    expect(fleet.snapshot().status).not.toHaveProperty('overdueAt')
  })

  it('publishes changes that add up to its snapshot, one revision after another', async () => {
    await fleet.refresh()
    listed = [machine('2', 'stopped'), machine('3')]
    await fleet.refresh()
    expect(changes.map((change) => change.revision)).toEqual(changes.map((_, index) => index + 1))
    expect(applied()).toEqual(fleet.snapshot().machines.map((view) => [view.id, view.status]))
    expect(applied()).toEqual([
      ['2', 'stopped'],
      ['3', 'running'],
    ])
  })

  it('omits unchanged machines from a change', async () => {
    await fleet.refresh()
    listed = [machine('1'), machine('2', 'stopped')]
    await fleet.refresh()
    expect(changes.at(-1)?.upserts.map((view) => view.id)).toEqual(['2'])
  })

  it.each([
    ['always wrong by the same number', () => 7],
    ['wrong by another number each time', (request: number) => 1 + request],
  ])('drops a deleted machine although the total is %s', async (_, wrong) => {
    excess = wrong
    await fleet.refresh()
    listed = [machine('2')]
    for (let reading = 0; reading < 4; reading += 1) await fleet.refresh()
    expect(fleet.snapshot().machines.map(({ id }) => id)).toEqual(['2'])
  })

  it('keeps a machine that left the list until the service returns 404 for it', async () => {
    await fleet.refresh()
    listed = [machine('1')]
    known.set('2', machine('2', 'stopped'))
    await fleet.refresh()
    expect(fleet.view('2')?.status).toBe('stopped')
    known.set('2', refusal(500))
    await fleet.refresh()
    expect(fleet.view('2')).toBeDefined()
    known.delete('2')
    await fleet.refresh()
    expect(fleet.view('2')).toBeUndefined()
  })

  it('keeps the last data and their time when a reading fails', async () => {
    await fleet.refresh()
    clock = 2000
    failing = new FailureError({ kind: 'offline' })
    await fleet.refresh()
    expect(fleet.snapshot()).toMatchObject({
      machines: [{ id: '1' }, { id: '2' }],
      status: { asOf: 1000, reading: false, failure: { kind: 'offline' } },
    })
    failing = undefined
    await fleet.refresh()
    expect(fleet.snapshot().status).toMatchObject({ asOf: 2000, failure: null })
  })

  it('shares one reading among simultaneous callers', async () => {
    await fleet.refresh()
    const once = lists
    await Promise.all([fleet.refresh(), fleet.refresh(), fleet.refresh()])
    expect(lists).toBe(2 * once)
  })

  it('shows partial results during the first reading', async () => {
    listed = Array.from({ length: 450 }, (_, index) => machine(String(index)))
    await fleet.refresh()
    expect(changes.map((change) => change.upserts.length)).toEqual([0, 200, 200, 50])
    expect(changes[1]?.status).toMatchObject({ reading: true, total: 450, asOf: null })
  })

  it('reports whether a machine is in transition', async () => {
    await fleet.refresh()
    expect(fleet.moving()).toBe(false)
    listed = [machine('1', 'creating')]
    await fleet.refresh()
    expect(fleet.moving()).toBe(true)
  })
})

describe('a list that shrinks', () => {
  const client = useSandboxClient(16)

  it('leaves no data of the deleted machines, which had passwords', async () => {
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    if (typeof collect !== 'function') expect.fail('no gc')
    const { machines, power } = client.service
    const read: { readonly id: string; readonly machine: WeakRef<Machine> }[] = []
    const fleet = accountFleet(
      account,
      {
        async list({ offset }, last) {
          const page = await machines.list({ limit: 5, offset }, undefined, last)
          read.push(...page.items.map((one) => ({ id: one.id, machine: new WeakRef(one) })))
          return page
        },
        get: machines.get,
      },
      () => 1000,
      () => undefined,
    )
    await fleet.refresh()
    const [kept, ...others] = fleet.snapshot().machines.map(({ id }) => id)
    for (const id of others) await power.remove(id)
    await client.advance(600)
    await fleet.refresh()
    expect(fleet.snapshot().machines.map(({ id }) => id)).toEqual([kept])
    await expect
      .poll(() => {
        Reflect.apply(collect, undefined, [])
        return new Set(read.filter(({ machine: held }) => held.deref()).map(({ id }) => id))
      })
      .toEqual(new Set([kept]))
  })
})

it('a reading that runs during a sign-out leaves nothing for the next one', async () => {
  const pages: (LastPages<Machine> | undefined)[] = []
  const answers: (() => void)[] = []
  let isHeld = true
  const answering = accountFleet(
    account,
    {
      list: async ({ offset = 0, limit = 1 }, last) => {
        pages.push(last)
        if (isHeld) await new Promise<void>((resolve) => answers.push(resolve))
        return { items: Array.from({ length: limit }, (_, at) => machine(String(offset + at))), total: 1_000 }
      },
      get: () => Promise.reject(refusal(404)),
    },
    () => 1_000,
    () => undefined,
  )
  const before = answering.refresh()
  await expect.poll(() => answers.length).toBe(1)
  answering.clear()
  isHeld = false
  answers.forEach((answer) => answer())
  await before
  const kept = pages.splice(0)
  await answering.refresh()
  expect(new Set(kept).size).toBe(1)
  expect(kept.length).toBeGreaterThan(1)
  expect(pages).not.toContain(kept[0])
})
