import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../fixtures/service-client'
import { bodyFaults } from './proxy/body-faults'
import { brokenClients } from './proxy/broken-clients'
import { runCell } from './proxy/cell'
import { connectionFaults } from './proxy/connection-faults'
import { withoutRow } from './proxy/kinds'
import { startMatrix } from './proxy/matrix'
import { pageOf } from './proxy/page'
import { statusFaults } from './proxy/status-faults'
import type { Fault, Outcome } from './proxy/wire'

const faults: Readonly<Record<string, Fault>> = { ...connectionFaults, ...statusFaults, ...bodyFaults }

let started: Awaited<ReturnType<typeof startMatrix>> | undefined
beforeAll(async () => {
  started = await startMatrix()
})
afterAll(() => started?.close())

describe('the matrix of all calls and faults', () => {
  const outcomes = new Map<string, ReadonlyMap<string, Outcome>>()

  it('has a row for each method of the client', () => {
    expect(withoutRow()).toEqual([])
  })

  it.each(Object.entries(faults))('ends as expected and recovers: %s', async (name, fault) => {
    const { matrix, calls } = must(started)
    const cells = await Promise.all(
      calls.map(async (call) => ({ call: call.name, ...(await runCell(matrix, fault, call)) })),
    )
    expect(cells.flatMap(({ call, problems }) => problems.map((problem) => `${call}: ${problem}`))).toEqual(
      [],
    )
    outcomes.set(name, new Map(cells.map(({ call, outcome }) => [call, outcome])))
  })

  it('matches docs/faults.md', async () => {
    const page = pageOf(faults, must(started).calls, outcomes)
    await expect(page).toMatchFileSnapshot('../../docs/faults.md')
  })
})

describe('the matrix detects a client that', () => {
  it.each(Object.entries(brokenClients))('%s', async (_name, { broken, fault, call: name, notices }) => {
    const { matrix, calls } = must(started)
    const call = must(calls.find((one) => one.name === name))
    const { problems } = await runCell({ ...matrix, broken }, must(faults[fault]), call)
    expect(problems).toContainEqual(expect.stringContaining(notices))
    expect((await runCell(matrix, must(faults[fault]), call)).problems).toEqual([])
  })
})
