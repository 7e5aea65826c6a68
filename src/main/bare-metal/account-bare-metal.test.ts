import { describe, expect, it } from 'vitest'
import { type Failure, FailureError } from '#shared/failure'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { accountBareMetal } from './account-bare-metal'
import { openBareMetalMemory } from './memory'

const account = 'abcdefghijkl'
const refused = (status: number): Failure => ({ kind: 'refused-by-service', status, message: 'No.' })

/** Opens three instances, of which the first two answer with a failure. */
const readThree = async (first: Failure, second: Failure) => {
  const memory = openBareMetalMemory(flakySettings())
  for (const id of ['a', 'b', 'c']) await memory.keep(account, { id, name: id, origin: 'added', since: 1 })
  const failures = new Map([
    ['a', first],
    ['b', second],
  ])
  const asked: string[] = []
  const instances = accountBareMetal(
    account,
    (id) => {
      asked.push(id)
      const failure = failures.get(id)
      return failure ? Promise.reject(new FailureError(failure)) : Promise.resolve({ id, name: id })
    },
    memory,
    () => 1000,
    () => undefined,
  )
  await instances.refresh()
  return { asked, instances }
}

describe('a reading of bare metal', () => {
  it('continues after an instance that cannot be read, and reports the first failure', async () => {
    const { asked, instances } = await readThree(refused(403), refused(500))
    expect(asked).toEqual(['a', 'b', 'c'])
    expect(instances.view('c')?.presence).toBe('there')
    expect(instances.failure()).toEqual(refused(403))
    expect(instances.snapshot().status).toMatchObject({ asOf: null, reading: false })
  })

  it('ends at a failure that affects all instances, and reports it', async () => {
    const { asked, instances } = await readThree(refused(403), { kind: 'offline' })
    expect(asked).toEqual(['a', 'b'])
    expect(instances.failure()).toEqual({ kind: 'offline' })
  })

  it('does not restore an instance that was removed during the reading', async () => {
    const memory = openBareMetalMemory(flakySettings())
    await memory.keep(account, { id: 'a', name: '', origin: 'added', since: 1 })
    const instances = accountBareMetal(
      account,
      async (id) => {
        await instances.forget(id)
        return { id, name: 'box' }
      },
      memory,
      () => 1000,
      () => undefined,
    )
    await instances.refresh()
    expect(memory.of(account)).toEqual([])
    expect(instances.snapshot().instances).toEqual([])
  })
})

describe('bare metal in the usage', () => {
  /** Opens a search on a fake clock. `answers`: failures by id. */
  const look = (answers: ReadonlyMap<string, Failure>) => {
    const memory = openBareMetalMemory(flakySettings())
    const asked: string[] = []
    let time = 1_000
    const instances = accountBareMetal(
      account,
      (id) => {
        asked.push(id)
        const failure = answers.get(id)
        return failure ? Promise.reject(new FailureError(failure)) : Promise.resolve({ id, name: id })
      },
      memory,
      () => time,
      () => undefined,
    )
    const pass = (seconds: number): void => void (time += seconds)
    return { asked, memory, instances, pass }
  }

  it('is read once, and added if the service knows it', async () => {
    const { asked, instances, memory, pass } = look(new Map([['vm', refused(404)]]))
    await instances.find(['vm', 'metal'])
    expect(memory.of(account)).toMatchObject([{ id: 'metal', origin: 'found' }])
    pass(86_399)
    expect(instances.find(['vm', 'metal'])).toBeNull()
    expect(asked).toEqual(['vm', 'metal'])
  })

  it('is read again a day after the service denied that it is bare metal', async () => {
    const { asked, instances, pass } = look(new Map([['late', refused(404)]]))
    await instances.find(['late'])
    pass(86_400)
    await instances.find(['late'])
    expect(asked).toEqual(['late', 'late'])
  })

  it('is read again after the clock was set back by a year', async () => {
    const { asked, instances, pass } = look(new Map([['late', refused(404)]]))
    await instances.find(['late'])
    pass(-365 * 86_400)
    await instances.find(['late'])
    expect(asked).toEqual(['late', 'late'])
  })

  it('is read a few at a time, up to the limit of known instances', async () => {
    const { asked, instances, memory, pass } = look(new Map())
    const ids = Array.from({ length: 10_000 }, (_, index) => `vm-${String(index)}`)
    await instances.find(ids)
    expect(asked).toEqual(ids.slice(0, 50))
    expect(instances.find(ids)).toBeNull()
    pass(300)
    await instances.find(ids)
    expect(asked).toEqual(ids.slice(0, 100))
    for (let round = 0; round < 20; round += 1) {
      pass(300)
      await instances.find(ids)
    }
    expect(memory.of(account)).toHaveLength(500)
    expect(asked).toHaveLength(500)
  })

  it('is read again some minutes after a failure, which ends the search', async () => {
    const { asked, instances, pass } = look(new Map([['a', { kind: 'timed-out', host: 'h', seconds: 30 }]]))
    await instances.find(['a', 'b'])
    expect(asked).toEqual(['a'])
    await instances.find(['a', 'b'])
    expect(asked).toEqual(['a', 'b'])
    pass(300)
    await instances.find(['a', 'b'])
    expect(asked).toEqual(['a', 'b', 'a'])
  })

  it('is not added again after the user removed it, until it is added by its id', async () => {
    const { asked, instances, memory } = look(new Map())
    await instances.find(['metal'])
    await instances.forget('metal')
    expect(instances.find(['metal'])).toBeNull()
    await memory.keep(account, { id: 'metal', name: '', origin: 'found', since: 1 })
    expect(memory.of(account)).toEqual([])
    await instances.add('metal')
    expect(asked).toEqual(['metal', 'metal'])
    expect(memory.of(account)).toMatchObject([{ origin: 'added' }])
    expect(memory.wasRemoved(account, 'metal')).toBe(false)
  })

  it('is not stored if the user signed out or forgot the account before the answer came', async () => {
    const memory = openBareMetalMemory(flakySettings())
    const instances = accountBareMetal(
      account,
      (id) => {
        instances.clear()
        return Promise.resolve({ id, name: 'box' })
      },
      memory,
      () => 1000,
      () => undefined,
    )
    await instances.find(['a', 'b'])
    await expect(instances.add('c')).rejects.toThrow('cancelled')
    expect(memory.of(account)).toEqual([])
    expect(instances.snapshot().instances).toEqual([])
  })
})
