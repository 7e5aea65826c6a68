import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { makeMachine, testTime } from '../../sandbox/ssh/fixtures/machines'
import { shellOn } from '../../sandbox/ssh/fixtures/shells'
import { runLine } from '../../sandbox/ssh/shell/run-line'
import { branchesScript } from './branches'
import { lookOf } from './look-of'
import { lookScript } from './script'

describe('the script of the last look', () => {
  it('and the script for branches are printed in the documentation as they are sent', () => {
    const page = readFileSync('docs/last-look.md', 'utf8')
    const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim())
    expect(blocks).toEqual([lookScript('delete'), branchesScript('/home/anna/my work').trim()])
  })

  it('is valid for /bin/sh', () => {
    for (const before of ['stop', 'delete'] as const) {
      const { stderr, status } = spawnSync('/bin/sh', ['-n'], { input: lookScript(before), encoding: 'utf8' })
      expect([stderr, status]).toEqual(['', 0])
    }
  })

  it('is answered by machines of the sandbox', async () => {
    const machine = makeMachine({ workload: () => 'training', gpu: 'NVIDIA H100 80GB SXM', gpuCount: 2 })
    let answer = ''
    for await (const { data } of runLine(lookScript('delete'), shellOn(machine))) answer += String(data)
    const look = lookOf(answer, 'delete', testTime)
    expect(look.repositories).toMatchObject([{ changes: 3, unpushed: 2, stashes: 1, problem: null }])
    expect([look.cleanRepositories, look.files.length, look.gaps]).toEqual([1, 1, []])
  })
})
