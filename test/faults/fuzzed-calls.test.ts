import fc from 'fast-check'
import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { type CallName, calls, type StreamName, streams } from '#shared/bridge/index'
import { deep, seeds } from '../fixtures/counts'
import { beginFuzzed, withKnownIds } from '../fixtures/fuzzed-main'
import { fuzzedService } from '../fixtures/fuzzed-service'
import { anyJson, nearValuesOf } from '../fixtures/schema-values'

/** Inputs per main process: their remains, such as hundreds of accounts, slow down later inputs. */
const inputsOfOne = 100

const isCall = (name: string): name is CallName => Object.hasOwn(calls, name)
const inputs = new Map(Object.entries(calls).map(([name, { input }]) => [name, input] as const))

it(
  'a call with any input from the window returns or fails with a kind of ours that contains no secret',
  async () => {
    const service = fuzzedService(7)
    const wrong: string[] = []
    let tried = 0
    let main = await beginFuzzed(service)
    for (const [name, input] of inputs) {
      if (!isCall(name)) continue
      const values = nearValuesOf(input)
      let left = deep(6, 1_000)
      while (left > 0) {
        const inputsHere = Math.min(left, inputsOfOne)
        const id = await main.account()
        const { counterexample, errorInstance, numRuns } = await fc.check(
          fc.asyncProperty(values, fc.nat(), async (value, seed) => {
            const problem = await main.problemOf(name, withKnownIds(value, id, seed))
            if (problem !== null) throw new Error(problem)
          }),
          { ...seeds, numRuns: inputsHere, endOnFailure: true },
        )
        tried += numRuns
        left -= inputsHere
        if (errorInstance) wrong.push(`${name}: ${inspect(errorInstance)}\n${inspect(counterexample)}`)
        if (tried % inputsOfOne !== 0) continue
        await main.end()
        main = await beginFuzzed(service)
      }
      if (tried % 20_000 === 0) console.info(`${String(tried)} inputs tried`)
    }
    await main.end()
    console.info(`${String(tried)} inputs of ${String(inputs.size)} calls tried`)
    expect(wrong.join('\n\n')).toBe('')
  },
  deep(240_000, 3_600_000),
)

const isStream = (name: string): name is StreamName => Object.hasOwn(streams, name)

it(
  'a stream with any input from the window continues, ends, or fails with a kind of ours',
  async () => {
    const service = fuzzedService(9)
    const main = await beginFuzzed(service)
    const wrong: string[] = []
    let tried = 0
    for (const [name, { input, up }] of Object.entries(streams)) {
      if (!isStream(name)) continue
      const id = await main.account()
      // Its machines are the service's, so that actions start.
      await main.problemOf('fleet.refresh', { account: id })
      const machines = ['machine-0', 'machine-1', 'machine-2']
      const opening = fc.oneof(
        nearValuesOf(input).map((value) => withKnownIds(value, id, 1)),
        fc.subarray(machines, { minLength: 1 }).map((some) => ({
          account: id,
          machines: some,
          command: 'true',
          seconds: 10,
          session: 'x',
        })),
      )
      const message = fc.record({ kind: fc.constant('message'), value: nearValuesOf(up) })
      const frames = fc.array(fc.oneof(message, message, anyJson), { maxLength: 4 })
      const { counterexample, errorInstance, numRuns } = await fc.check(
        fc.asyncProperty(opening, frames, async (value, sent) => {
          const problem = await main.problemOfStream(name, value, sent)
          if (problem !== null) throw new Error(problem)
        }),
        { ...seeds, numRuns: deep(20, 1_000), endOnFailure: true },
      )
      tried += numRuns
      if (errorInstance) wrong.push(`${name}: ${inspect(errorInstance)}\n${inspect(counterexample)}`)
    }
    await main.end()
    console.info(`${String(tried)} inputs of ${String(Object.keys(streams).length)} streams tried`)
    expect(wrong.join('\n\n')).toBe('')
  },
  deep(240_000, 600_000),
)
