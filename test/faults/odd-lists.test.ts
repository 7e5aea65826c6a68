import { describe, expect, it, onTestFinished } from 'vitest'
import { createFleet } from '../../src/main/fleet/index'
import { connect, control, runSandbox, setUp } from '../fixtures/account-harness'
import { fakeClock } from '../fixtures/fake-clock'
import { everyHabit, type HabitName, startOddService } from '../fixtures/odd-service/index'

const begin = async (habits: readonly HabitName[]) => {
  const sandbox = await runSandbox()
  const odd = await startOddService(sandbox.baseUrl, habits)
  onTestFinished(() => odd.close())
  const harness = await setUp({ waitsEnd: true })
  const account = (await connect(harness, sandbox, { url: odd.baseUrl })).id
  const fleet = createFleet({ accounts: harness.accounts, clock: fakeClock(), online: () => true })
  onTestFinished(() => fleet.close())
  const gone: string[] = []
  fleet.onGone(({ machines }) => gone.push(...machines.map(({ id }) => id)))
  const read = async () => {
    await fleet.refresh(account)
    const snapshot = fleet.snapshot(account)
    if (!snapshot) throw new Error('the account has a fleet')
    return snapshot
  }
  const find = async (text: string) =>
    (await fleet.handlers['machines.find']({ account, text })).map(({ name }) => name)
  return { sandbox, gone, read, find }
}

describe('the fleet with an unusual service', () => {
  it.each([...everyHabit.map((name) => [name]), [...everyHabit]])(
    'has every machine once (%s)',
    async (...names) => {
      const { sandbox, read } = await begin(names)
      const { machines, status } = await read()
      const all = await fetch(`${sandbox.baseUrl}/virtual-machines?limit=100`, {
        headers: { authorization: `Bearer ${sandbox.apiToken}` },
      })
      const text = await all.text()
      expect(machines).toHaveLength(12)
      expect(new Set(machines.map(({ id }) => id)).size).toBe(12)
      for (const { id } of machines) expect(text).toContain(id)
      expect(status.failure).toBeNull()
      expect(status.unreadable?.count).toBe(names.includes('odd-records') ? 2 : undefined)
      expect(status.unreadable?.text ?? '').not.toContain('odd-secret')
    },
  )

  it.each([['filters-refused'], ['filters-ignored']] as const)(
    'finds machines by name even if filters do not work (%s)',
    async (name) => {
      const { find, read } = await begin([name])
      const words = (await find('Train')).toSorted()
      const { machines } = await read()
      const names = machines.map((machine) => machine.name).filter((one) => one.includes('train'))
      expect(words).toEqual(names.toSorted())
      expect(words.length).toBeGreaterThan(0)
      expect(words.length).toBeLessThan(12)
    },
  )

  it.each([['deleted-is-html'], ['deleted-is-status-false'], ['deleted-is-html', 'short-pages']] as const)(
    'drops a machine that was deleted elsewhere, once two lists lack it (%s)',
    async (...names) => {
      const { sandbox, gone, read } = await begin(names)
      const [machine] = (await read()).machines
      if (!machine) throw new Error('the sandbox has machines')
      await control(sandbox, 'DELETE', `/resources/${machine.id}`)
      expect((await read()).machines).toHaveLength(12)
      expect((await read()).machines).toHaveLength(11)
      expect(gone).toEqual([machine.id])
    },
  )

  it('keeps it while no list is complete', async () => {
    const { sandbox, gone, read } = await begin(['odd-records', 'deleted-is-html'])
    const [machine] = (await read()).machines
    if (!machine) throw new Error('the sandbox has machines')
    await control(sandbox, 'DELETE', `/resources/${machine.id}`)
    for (let round = 0; round < 4; round += 1) expect((await read()).machines).toHaveLength(12)
    expect(gone).toEqual([])
  })

  it('drops it once the total was wrong by the same number three times in a row', async () => {
    const { sandbox, gone, read } = await begin(['total-too-large', 'deleted-is-html'])
    const [machine] = (await read()).machines
    if (!machine) throw new Error('the sandbox has machines')
    await control(sandbox, 'DELETE', `/resources/${machine.id}`)
    const counts: number[] = []
    for (let round = 0; round < 4; round += 1) counts.push((await read()).machines.length)
    expect(counts).toEqual([12, 12, 11, 11])
    expect(gone).toEqual([machine.id])
  })

  it('keeps it if its detail exists, and if its detail is unreadable', async () => {
    const { sandbox, gone, read } = await begin(['deleted-lingers'])
    const [machine] = (await read()).machines
    if (!machine) throw new Error('the sandbox has machines')
    const detail = `/virtual-machines/${machine.id}`
    await control(sandbox, 'DELETE', `/resources/${machine.id}`)
    await control(sandbox, 'POST', '/faults', { kind: 'status', status: 503, path: detail, count: 3 })
    for (let round = 0; round < 3; round += 1) expect((await read()).machines).toHaveLength(12)
    expect(gone).toEqual([])
    expect((await read()).machines).toHaveLength(11)
  })
})
