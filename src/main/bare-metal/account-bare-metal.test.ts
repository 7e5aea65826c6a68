import { describe, expect, it } from 'vitest'
import { type Failure, FailureError } from '#shared/failure'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { accountBareMetal } from './account-bare-metal'
import { openBareMetalMemory } from './memory'

const account = 'abcdefghijkl'
const refused = (status: number): Failure => ({ kind: 'refused-by-service', status, message: 'No.' })

/** Three instances, of which the first two answer with a failure. */
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
  it('goes on past an instance that cannot be read, and reports the first failure', async () => {
    const { asked, instances } = await readThree(refused(403), refused(500))
    expect(asked).toEqual(['a', 'b', 'c'])
    expect(instances.view('c')?.presence).toBe('there')
    expect(instances.failure()).toEqual(refused(403))
    expect(instances.snapshot().status).toMatchObject({ asOf: null, reading: false })
  })

  it('ends where the next one would fail alike, and reports that', async () => {
    const { asked, instances } = await readThree(refused(403), { kind: 'offline' })
    expect(asked).toEqual(['a', 'b'])
    expect(instances.failure()).toEqual({ kind: 'offline' })
  })

  it('does not bring back one that was removed meanwhile', async () => {
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
