import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { Machine } from '#shared/service/machine'
import { fakeClock } from '../../../../test/fixtures/fake-clock'
import { machineView } from '../../fleet/machine-view'
import { openSettings } from '../../store/settings'
import type { GpuLoad } from '../telemetry/gpu-samples'
import { createIdle, type IdleDeps } from './index'
import { gpuReading } from '../../../../test/fixtures/gpu-reading'

const [lab, other] = ['abcdefghijkl', 'mnopqrstuvwx'] as const
const start = 1_795_269_600
const gpu = gpuReading({ utilization: 0, memoryUsed: 1, power: 60 })
const loadAt = (time: number, busiest: number): GpuLoad => ({
  time,
  busiest,
  average: busiest,
  held: 0,
  activity: null,
  isEstimated: false,
})
const series = () => ({
  times: Float64Array.from({ length: 120 }, (_, at) => start - 7_200 + at * 60),
  values: new Float64Array(120),
})

/** Answer that arrives when the test releases it. */
function held() {
  let release = (): void => undefined
  const promise = new Promise<ReturnType<typeof series>>((resolve) => (release = () => resolve(series())))
  return { promise, release: () => release() }
}

describe('a check of the idle machines of several accounts', () => {
  let present: string[]
  let checked: string[]
  let answers: Map<string, Promise<ReturnType<typeof series>>>
  let folder: string

  const open = (changes: Partial<IdleDeps> = {}) => {
    const idle = createIdle({
      isMonitored: () => true,
      accounts: {
        view: () => ({
          accounts: present.map((id) => ({
            id,
            label: 'lab',
            baseUrl: 'https://cloud.example',
            credential: 'password',
            username: 'anna',
            sandbox: false,
            staysSignedIn: true,
            heldUntil: null,
            failure: null,
            state: 'signed-in',
          })),
          selected: lab,
        }),
      },
      settings: openSettings(folder),
      machines: () => ['m', 'n'].map((id) => machineView(Machine.parse({ id, name: id, status: 'running' }))),
      instances: () => [],
      loads: () => [],
      storedGpus: () => new Map(),
      cpu: (account) => answers.get(account) ?? Promise.resolve(series()),
      fees: () => Promise.resolve(new Map()),
      alerts: { standing: () => [], check: (account) => checked.push(account) },
      clock: fakeClock(start),
      online: () => true,
      report: (action, error) => expect.fail(`${action}: ${String(error)}`),
      ...changes,
    })
    onTestFinished(() => idle.close())
    return idle
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'wheelhouse-idle-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    present = [lab, other]
    checked = []
    answers = new Map()
  })

  it.each([
    ['was removed', [other]],
    // Modules delete the account's data while it still exists.
    ['is being removed', [lab, other]],
  ])('emits nothing about an account that %s during the check', async (_, left) => {
    const slow = held()
    answers.set(lab, slow.promise)
    const idle = open()
    const changed: string[] = []
    const checking = idle.check()
    await expect.poll(() => idle.list(other).machines).toHaveLength(2)
    idle.onChange(({ account }) => changed.push(account))
    present = left
    idle.forgetAccount(lab)
    checked = []
    slow.release()
    await checking
    expect(idle.list(lab).machines).toEqual([])
    expect([changed, checked]).toEqual([[], []])
  })

  it('does not wait for another account’s service, and judges by GPUs before its own service answers', async () => {
    const slow = held()
    answers.set(lab, slow.promise)
    const idle = open()
    for (let at = 70; at >= 0; at -= 1) idle.addReading(lab, 'm', [gpu], start - at * 60)
    const checking = idle.check()
    await expect.poll(() => idle.list(other).machines).toHaveLength(2)
    await expect.poll(() => idle.list(lab).machines).toMatchObject([{ machine: 'm', use: 'idle' }])
    slow.release()
    await checking
    expect(idle.list(lab).machines).toHaveLength(2)
  })

  it('uses the samples of an earlier run once they can be read', async () => {
    present = [lab]
    const store: { kept?: readonly GpuLoad[] } = {}
    const idle = open({ loads: () => store.kept })
    for (let at = 4; at >= 0; at -= 1) idle.addReading(lab, 'm', [gpu], start - at * 60)
    await idle.check()
    expect(idle.list(lab).machines).toEqual([])
    store.kept = Array.from({ length: 180 }, (_, at) =>
      loadAt(start - 600 - (179 - at) * 60, at < 60 ? 90 : 0),
    )
    await idle.check()
    expect(idle.of(lab, 'm')).toMatchObject({ use: 'idle', since: start - 600 - 119 * 60 })
  })

  it('yields to other work while it reads the samples of many machines', async () => {
    present = [lab]
    const order: string[] = []
    const idle = open({
      loads: (_account, machine) => {
        order.push(machine)
        setImmediate(() => order.push('other work'))
        return [loadAt(start, 0)]
      },
    })
    await idle.check()
    expect(order).toEqual(['m', 'other work', 'n', 'other work'])
  })
})
