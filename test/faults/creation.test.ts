import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { MachineOrder } from '#shared/bridge/creation'
import { connect, runSandbox, setUp } from '../fixtures/account-harness'
import { type Break, startBreakingCable } from '../fixtures/breakable-connection'
import { deep } from '../fixtures/counts'
import { openCreation, when } from '../fixtures/creation-harness'
import { orderFor } from '../fixtures/creation-order'
import { eagerClock } from '../fixtures/fake-clock'

/** Deterministic random numbers in [0, 1). */
const randomNumbers = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

/** A moment between the first byte of the request and the last byte of its answer, or after the sender gave up. */
const randomBreak = (random: () => number): Break => {
  const kind = random()
  if (kind < 0.4) return { in: 'request', after: Math.floor(random() * 1_600) }
  if (kind < 0.8) return { in: 'answer', after: Math.floor(random() * 500) }
  return { in: 'late', milliseconds: Math.floor(random() * 120) }
}

describe('creating machines over connections that break at random moments', () => {
  it(
    'never makes two, never reports an existing one as failed, and names the created one',
    async () => {
      const sandbox = await runSandbox()
      const cable = await startBreakingCable(Number(new URL(sandbox.baseUrl).port))
      onTestFinished(() => cable.close())
      const office = await setUp()
      const url = sandbox.baseUrl.replace(/:\d+/, `:${String(cable.port)}`)
      const { id: account } = await connect(office, sandbox, { url })
      const service = office.accounts.service(account)
      const { harness, reports } = await openCreation({
        accounts: office.accounts,
        clock: eagerClock(Date.now() / 1000, cable.delivered),
      })
      const order = orderFor(await service.flavors.list(), await service.images.list(), '')
      const named = async (name: string) => {
        const filters = [{ key: 'name', op: 'eq', val: name }] as const
        return (await service.machines.list({ limit: 10, filters: [...filters] })).items.map(({ id }) => id)
      }
      const send = (machine: MachineOrder, again: string[]) =>
        harness.handlers['machine.create']({
          request: randomUUID(),
          account,
          again,
          identityFile: null,
          machine,
        })

      const random = randomNumbers(42)
      const outcomes = { created: 0, found: 0, absent: 0 }
      for (let run = 0; run < deep(20, 200); run += 1) {
        const machine = { ...order, name: `random-${String(run)}` }
        const how = randomBreak(random)
        cable.breakNext('POST /api/v1/virtual-machines ', how)
        const { id } = await send(machine, [])
        const first = await when(harness, account, id, 'created', 'absent', 'unclear')
        const there = await named(machine.name)
        const note = `${machine.name} ${JSON.stringify(how)} ${first.state.kind}`

        expect(there.length, note).toBeLessThanOrEqual(1)
        if (first.state.kind === 'created') {
          expect(there, note).toEqual([first.state.machine])
          outcomes[first.state.found ? 'found' : 'created'] += 1
        } else {
          // A machine reported as not created does not exist and does not appear later.
          expect(first.state, note).toEqual({ kind: 'absent', others: [] })
          expect(there, note).toEqual([])
          outcomes.absent += 1
          await expect(send(machine, []), note).rejects.toMatchObject({
            failure: { kind: 'invalid-input', field: 'name', reason: 'outcome-open' },
          })
          const second = await send(machine, [id])
          expect(second.state, note).toMatchObject({ kind: 'created', found: false })
        }
        expect(await named(machine.name), note).toHaveLength(1)
        for (const creation of harness.list(account))
          await harness.handlers['creation.dismiss']({ account, creation: creation.id })
      }
      // The moments were random enough to produce all three outcomes.
      expect(
        Object.values(outcomes).every((count) => count > 0),
        JSON.stringify(outcomes),
      ).toBe(true)
      expect(cable.waits()).toBe(false)
      expect(reports).toEqual([])
    },
    deep(240_000, 900_000),
  )
})
