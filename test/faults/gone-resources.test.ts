import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createApiTokens } from '../../src/main/api-tokens/index'
import { createBareMetal } from '../../src/main/bare-metal/index'
import { createUsage } from '../../src/main/usage/index'
import { createVolumes } from '../../src/main/volumes/index'
import { connect, control, runSandbox, setUp } from '../fixtures/account-harness'
import { fakeClock } from '../fixtures/fake-clock'
import { flakySettings } from '../fixtures/flaky-settings'
import { type HabitName, startOddService } from '../fixtures/odd-service/index'
import { must } from '../fixtures/service-client'

const begin = async (habits: readonly HabitName[]) => {
  const sandbox = await runSandbox()
  const odd = await startOddService(sandbox.baseUrl, habits)
  onTestFinished(() => odd.close())
  const { accounts } = await setUp().then(async (harness) => {
    await connect(harness, sandbox, { url: odd.baseUrl })
    return harness
  })
  const account = must(accounts.view().accounts[0]).id
  return { sandbox, odd, accounts, account }
}

/** Returns the volumes of an account, listed by the service or found in its usage. */
const beginVolumes = async (habits: readonly HabitName[], listed = true) => {
  const begun = await begin(habits)
  const { accounts, account } = begun
  const clock = fakeClock()
  const volumes = createVolumes({
    accounts,
    documents: flakySettings(),
    usage: createUsage({ accounts, clock }),
    extensions: {
      mayList: () => listed,
      list: (id, page) => accounts.service(id).volumes.list(page),
      types: () => Promise.resolve([]),
      remove: () => Promise.resolve(),
    },
    regions: () => Promise.resolve([]),
    clock,
    online: () => true,
    report: () => undefined,
  })
  onTestFinished(() => volumes.close())
  const read = async () => {
    await volumes.handlers['volumes.refresh']({ account })
    const { status, volumes: views } = volumes.snapshot(account)
    return { failure: status.failure, ids: views.map(({ id }) => id) }
  }
  return { ...begun, read }
}

describe('a volume that was deleted elsewhere', () => {
  it.each([
    [['short-pages', 'repeated-pages', 'total-absent'], true],
    [['short-pages', 'overlapping-pages', 'no-volume-list'], false],
  ] as const)('is removed once two complete lists lack it (%s)', async (habits, listed) => {
    const { sandbox, read } = await beginVolumes(habits, listed)
    const { ids } = await read()
    const [volume] = ids
    await control(sandbox, 'DELETE', `/resources/${must(volume)}`)
    const rounds = [await read(), await read()]
    expect(rounds.at(-1)).toEqual({ failure: null, ids: ids.filter((id) => id !== volume) })
    // If usage reports its end, it is removed immediately.
    if (listed) expect(rounds[0]?.ids.toSorted()).toEqual(ids.toSorted())
  })

  it.each(['total-too-large', 'odd-records'] as const)(
    'stays while no list is complete (%s)',
    async (habit) => {
      const { sandbox, odd, read } = await beginVolumes([habit])
      const { ids } = await read()
      const [volume] = ids
      await control(sandbox, 'DELETE', `/resources/${must(volume)}`)
      for (let round = 0; round < 4; round += 1) expect((await read()).ids).toHaveLength(ids.length)
      odd.setHabits([])
      expect((await read()).ids).toHaveLength(ids.length)
      expect((await read()).ids).not.toContain(volume)
    },
  )
})

const beginTokens = async (habits: readonly HabitName[]) => {
  const begun = await begin(habits)
  const capabilities = { using: <T>(_: string, __: string, act: () => Promise<T>) => act() }
  const tokens = createApiTokens({ accounts: begun.accounts, capabilities, clock: fakeClock() })
  onTestFinished(() => tokens.close())
  const read = async () =>
    (await tokens.handlers['apiTokens.list']({ account: begun.account })).items.map(({ id }) => id)
  return { ...begun, read }
}

describe('an API token that was deleted elsewhere', () => {
  it.each([[['short-pages', 'limit-refused']], [['total-absent', 'overlapping-pages']]] as const)(
    'is removed once two complete lists lack it (%s)',
    async (habits) => {
      const { sandbox, read } = await beginTokens(habits)
      const ids = await read()
      await control(sandbox, 'DELETE', `/api-tokens/${must(ids[2])}`)
      expect(await read()).toHaveLength(ids.length)
      expect(await read()).toEqual(ids.slice(0, 2))
    },
  )

  it.each(['total-too-large', 'odd-records'] as const)(
    'stays while no list is complete (%s)',
    async (habit) => {
      const { sandbox, odd, read } = await beginTokens([habit])
      const ids = await read()
      await control(sandbox, 'DELETE', `/api-tokens/${must(ids[2])}`)
      for (let round = 0; round < 4; round += 1) expect(await read()).toHaveLength(ids.length)
      odd.setHabits([])
      expect(await read()).toHaveLength(ids.length)
      expect(await read()).toEqual(ids.slice(0, 2))
    },
  )
})

const State = z.object({ data: z.object({ bare_metal: z.array(z.object({ id: z.string() })) }) })

const beginBareMetal = async (habits: readonly HabitName[]) => {
  const begun = await begin(habits)
  const { sandbox, accounts, account } = begun
  const bareMetal = createBareMetal({
    accounts,
    documents: flakySettings(),
    clock: fakeClock(),
    online: () => true,
  })
  onTestFinished(() => bareMetal.close())
  const { id } = must(State.parse(await control(sandbox, 'GET', '/state')).data.bare_metal[0])
  await bareMetal.handlers['bareMetal.add']({ account, instance: id })
  const read = async () => {
    await bareMetal.handlers['bareMetal.refresh']({ account })
    return bareMetal.snapshot(account).instances.map(({ presence }) => presence)
  }
  return { ...begun, id, read }
}

describe('ended bare metal', () => {
  it.each(['deleted-is-html', 'deleted-is-status-false'] as const)(
    'is marked as deleted at the second answer without the instance, and stays in the list (%s)',
    async (habit) => {
      const { sandbox, id, read } = await beginBareMetal([habit])
      await control(sandbox, 'DELETE', `/resources/${id}`)
      expect([await read(), await read(), await read()]).toEqual([['there'], ['gone'], ['gone']])
    },
  )

  it('stays if its detail exists, and if its detail is unreadable', async () => {
    const { sandbox, id, read } = await beginBareMetal(['deleted-lingers'])
    await control(sandbox, 'DELETE', `/resources/${id}`)
    const path = `/bare-metal/instances/${id}`
    for (const status of [401, 403, 503])
      await control(sandbox, 'POST', '/faults', { kind: 'status', status, path, count: 1 })
    const rounds = []
    for (let round = 0; round < 4; round += 1) rounds.push(await read())
    expect(rounds.slice(0, 3)).toEqual([['there'], ['there'], ['there']])
    await read()
    expect(await read()).toEqual(['gone'])
  })
})
