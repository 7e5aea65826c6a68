import { expect, it } from 'vitest'
import type { GpuView } from '#shared/bridge/gpu'
import { account, machineNamed, start } from '../../../../test/fixtures/idle-harness'
import { progressOf } from './account-progress'

it('machines that wait for their turn count as read for 15 minutes after their last reading', () => {
  const view: GpuView = {
    account,
    machine: 'm',
    consent: true,
    link: { kind: 'stopped', stop: { kind: 'too-many', limit: 100 } },
    report: {
      kind: 'gpus',
      tool: 'nvidia-smi',
      driver: null,
      gpus: [],
      processes: null,
      isDetailed: false,
      said: null,
    },
    at: start,
  }
  const at = (now: number) => progressOf(account, true, [machineNamed('m')], () => view, now)
  expect(at(start + 900)).toMatchObject({ read: 1, unread: [] })
  expect(at(start + 901)).toMatchObject({ read: 0, unread: [{ link: view.link, count: 1 }] })
})
