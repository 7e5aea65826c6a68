import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it, vi } from 'vitest'
import { none } from './test-counts.mjs'
import { type Step, runLane } from './test-steps.mjs'

let results: string
beforeAll(() => {
  results = mkdtempSync(join(tmpdir(), 'wheelhouse-steps-'))
})

const running = () => false
const good: Step = { name: 'Good', run: [['-e', 'console.log("all well")']] }
/** Output to hide from the tests' own output. */
async function outcomes(...steps: Step[]) {
  const printed = [
    vi.spyOn(process.stdout, 'write').mockReturnValue(true),
    vi.spyOn(console, 'error').mockReturnValue(undefined),
  ]
  try {
    const lane = await runLane(steps, process.env, running, { results })
    return lane.map(({ name, passed, counts }) => ({ name, passed, counts }))
  } finally {
    for (const spy of printed) spy.mockRestore()
  }
}

it('a step whose program cannot start has failed, and the next one runs', async () => {
  const absent = { name: 'Absent', run: [[]], program: '/there/is/none' }
  expect(await outcomes(absent, good)).toEqual([
    { name: 'Absent', passed: false, counts: none },
    { name: 'Good', passed: true, counts: none },
  ])
  expect(readFileSync(join(results, 'Good.log'), 'utf8')).toBe('all well\n')
})

it('a step whose report was cut off has failed, and the next one runs', async () => {
  const counts = () => {
    throw new SyntaxError('Unexpected end of JSON input')
  }
  const cut = { ...good, name: 'Cut', counts }
  expect(await outcomes(cut, good)).toEqual([
    { name: 'Cut', passed: false, counts: none },
    { name: 'Good', passed: true, counts: none },
  ])
})
