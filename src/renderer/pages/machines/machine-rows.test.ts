import { expect, it } from 'vitest'
import { machineNamed } from './machine.fixture'
import { upSince } from './machine-rows'

it('only a machine that runs, or has an unknown status, has an uptime', () => {
  const started = (status: string) => upSince(machineNamed('train-01', { status, startedAt: 1_000 }))
  expect([started('running'), started('odd'), started('stopped')]).toEqual([1_000, 1_000, null])
})
