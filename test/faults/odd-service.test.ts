import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { runSandbox } from '../fixtures/account-harness'
import { everyHabit, type HabitName, habits, startOddService } from '../fixtures/odd-service/index'

const Listed = z.object({ total: z.number().optional(), data: z.array(z.unknown()).nullable() })

const nameOf = (record: unknown): unknown => z.looseObject({ name: z.string().nullish() }).parse(record).name

const begin = async (names: readonly HabitName[]) => {
  const sandbox = await runSandbox()
  const service = await startOddService(sandbox.baseUrl, names)
  onTestFinished(() => service.close())
  const ask = async (path: string) => {
    const answer = await fetch(service.baseUrl + path, {
      headers: { authorization: `Bearer ${sandbox.apiToken}` },
    })
    return { status: answer.status, text: await answer.text() }
  }
  const list = async (path: string) => Listed.parse(JSON.parse((await ask(path)).text))
  return { sandbox, service, ask, list }
}

describe('the unusual service', () => {
  it('behaves like the sandbox while no habit is on', async () => {
    const { list } = await begin([])
    expect(await list('/virtual-machines?limit=5')).toMatchObject({ total: 12 })
    expect((await list('/virtual-machines?limit=5')).data).toHaveLength(5)
  })

  it('keeps its malformed records at the same position for all page sizes', async () => {
    const { list } = await begin(['odd-records'])
    const whole = await list('/virtual-machines?limit=50&offset=0')
    expect(whole.total).toBe(14)
    expect(whole.data).toHaveLength(14)
    expect(whole.data?.[1]).toMatchObject({ id: 7, name: 'odd-one' })
    const cut = []
    for (let offset = 0; offset < 16; offset += 3)
      cut.push(...((await list(`/virtual-machines?limit=3&offset=${String(offset)}`)).data ?? []))
    expect(cut.map(nameOf)).toEqual(whole.data?.map(nameOf))
  })

  it('refuses a limit, returns short and overlapping pages, and reports a wrong total', async () => {
    const { ask, list, service } = await begin(['limit-refused'])
    expect(await ask('/virtual-machines?limit=6')).toMatchObject({ status: 422 })
    service.setHabits(['short-pages'])
    expect((await list('/virtual-machines?limit=10')).data).toHaveLength(8)
    service.setHabits(['overlapping-pages', 'total-too-small'])
    const first = await list('/virtual-machines?limit=5')
    const second = await list('/virtual-machines?limit=5&offset=5')
    expect(second.data?.slice(0, 2)).toEqual(first.data?.slice(3))
    expect(first.total).toBe(10)
  })

  it('applies one of several exclusive habits at a time', async () => {
    const { list } = await begin(['total-absent', 'total-too-small', 'total-too-large'])
    const seen = []
    for (let count = 0; count < 3; count += 1) seen.push((await list('/virtual-machines?limit=5')).total)
    expect(new Set(seen)).toEqual(new Set([undefined, 10, 15]))
  })

  it('lacks extensions of the specification in the same way at every request', async () => {
    const { ask } = await begin(everyHabit.filter((name) => name.startsWith('absent-')))
    const seen = []
    for (let count = 0; count < 8; count += 1) {
      const { status, text } = await ask(count % 2 ? '/volume-types' : '/regions')
      expect(text).not.toContain('"status":true')
      seen.push(status)
    }
    expect(new Set(seen)).toEqual(new Set([404, 405, 501, 200]))
  })

  it('has a description of each habit', () => {
    for (const name of everyHabit) expect(habits[name].description).toMatch(/\w{3}/)
  })
})
