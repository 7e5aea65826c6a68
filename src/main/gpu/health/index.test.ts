import { describe, expect, it } from 'vitest'
import type { AlertCause } from '#shared/bridge/alert'
import type { MachineView } from '#shared/bridge/fleet'
import type { GpuReading, GpuView, HealthView } from '#shared/bridge/gpu'
import type { SshLink } from '#shared/bridge/ssh-link'
import { Machine } from '#shared/service/machine'
import { fakeClock } from '../../../../test/fixtures/fake-clock'
import { machineView } from '../../fleet/machine-view'
import type { ExecOutcome } from '../../ssh/client/transport'
import { healthScript, systemHealthScript } from './health-facts'
import { causesOf, createHealth, worstDisk } from './index'

const account = 'abcdefghijkl'
const healthy: HealthView = {
  account,
  machine: 'm1',
  at: 0,
  disk: { mount: '/', total: 100, used: 50, fullIn: null },
  memory: null,
  swap: null,
  load: null,
  problem: null,
  xids: [],
  defects: [],
}
const answer = (usedKilobytes: number): ExecOutcome => ({
  kind: 'finished',
  stdout: `== disk\n/dev/vda1 100000000 ${String(usedKilobytes)} ${String(100_000_000 - usedKilobytes)} 1% /\n`,
  stderr: '',
  status: 0,
})
const settled = () => new Promise((resolve) => setImmediate(resolve))

function setUp() {
  const clock = fakeClock(1_000_000)
  let status: string | null = 'running'
  let isOnline = true
  const machine = (): MachineView => machineView(Machine.parse({ id: 'm1', name: 'train', status }))
  let standing: readonly AlertCause[] = []
  const health = createHealth({
    machine: (_account, id) => (id === 'm1' && status !== null ? machine() : undefined),
    alerts: {
      standing: () => standing,
      check: (_account, found) => {
        standing = found.map(({ cause }) => cause)
      },
    },
    clock,
    online: () => isOnline,
  })
  const link = (next: SshLink): GpuView => ({
    account,
    machine: 'm1',
    consent: true,
    link: next,
    report: null,
    at: null,
  })
  return {
    clock,
    health,
    stop: () => (status = 'stopped'),
    remove: () => (status = null),
    setOnline: (next: boolean) => (isOnline = next),
    kinds: () => standing.map(({ kind }) => kind),
    assume: (causes: readonly AlertCause[]) => (standing = causes),
    linkTo: (next: SshLink, consent = true) => health.linkChanged({ ...link(next), consent }),
    read: () => health.handlers['gpu.health']({ account, machine: 'm1' }),
  }
}
const waiting = { kind: 'waiting', until: 0, attempts: 1, reason: 'ETIMEDOUT' } as const

describe('the causes of alerts', () => {
  const kindsOf = (changes: Partial<HealthView>) =>
    causesOf({ ...healthy, ...changes }, 'train', []).map(({ kind }) => kind)
  it('are a disk at 90 %, or full within six hours, and each defect', () => {
    expect(kindsOf({})).toEqual([])
    expect(kindsOf({ disk: { mount: '/', total: 100, used: 90, fullIn: null } })).toEqual(['disk-full'])
    expect(kindsOf({ disk: { mount: '/', total: 100, used: 50, fullIn: 6 * 3_600 } })).toEqual(['disk-full'])
    expect(kindsOf({ disk: { mount: '/', total: 100, used: 50, fullIn: 7 * 3_600 } })).toEqual([])
    expect(kindsOf({ disk: null, defects: ['heat', 'pending-remap'] })).toEqual(['gpu-defect', 'gpu-defect'])
  })
})

describe('the worst disk', () => {
  const disk = (mount: string, used: number, fullIn: number | null = null) => ({
    mount,
    total: 100,
    used,
    fullIn,
  })
  it('is the fullest at the limit, else the first to be full, else the fullest', () => {
    const worst = (...disks: Parameters<typeof worstDisk>[0]) => worstDisk(disks)?.mount
    expect(worst(disk('/', 50, 60), disk('/data', 90), disk('/scratch', 95))).toBe('/scratch')
    expect(worst(disk('/', 80), disk('/data', 50, 7_200), disk('/scratch', 20, 3_600))).toBe('/scratch')
    expect(worst(disk('/', 50), disk('/data', 60))).toBe('/data')
    expect(worst()).toBeUndefined()
  })
})

describe('the health of machines', () => {
  it('measures the rate of each disk, and names the disk that fills', async () => {
    const { clock, health, read } = setUp()
    let used = 10_000_000
    const output = () => `== disk\n/dev/a 200 50000000 50000000 50% /\n/dev/b 200 ${used} 90000000 1% /data\n`
    health.connected(account, 'm1', () =>
      Promise.resolve({ kind: 'finished', stdout: output(), stderr: '', status: 0 }),
    )
    clock.advance(5)
    await settled()
    expect(read()).toMatchObject({ disk: { mount: '/', fullIn: null } })
    for (let minute = 0; minute < 30; minute += 5) {
      used += 5_000_000
      clock.advance(300)
      await settled()
    }
    expect(read()).toMatchObject({ disk: { mount: '/data', fullIn: 5_400 } })
  })

  it('is read soon after the connection opened, then every five minutes, until it closes', async () => {
    const { clock, health, kinds, read } = setUp()
    let used = 90_000_000
    let reads = 0
    health.connected(account, 'm1', () => {
      reads += 1
      return Promise.resolve(answer(used))
    })
    clock.advance(5)
    await settled()
    expect(read()).toMatchObject({ disk: { used: 90_000_000 * 1_024, fullIn: null } })
    expect(kinds()).toEqual(['disk-full'])
    used = 10_000_000
    clock.advance(300)
    await settled()
    expect([reads, kinds()]).toEqual([2, []])
    health.connected(account, 'm1', null)
    clock.advance(900)
    expect(reads).toBe(2)
  })

  it('ends the alert of a disk only well below the limit', async () => {
    const { clock, health, kinds } = setUp()
    let used = 90_000_000
    health.connected(account, 'm1', () => Promise.resolve(answer(used)))
    clock.advance(5)
    await settled()
    for (const [next, expected] of [
      [88_000_000, ['disk-full']],
      [86_000_000, []],
      [88_000_000, []],
    ] as const) {
      used = next
      clock.advance(300)
      await settled()
      expect(kinds()).toEqual(expected)
    }
  })

  it('shows why the first reading failed, and ends no alert by it', async () => {
    const cause = {
      kind: 'disk-full',
      machine: 'm1',
      name: 'train',
      mount: '/',
      share: 0.95,
      fullIn: null,
    } as const
    for (const [outcome, problem] of [
      [{ kind: 'timed-out', isLogin: true }, 'slow-login'],
      [{ kind: 'not-begun', why: 'restricted', said: '' }, 'not-begun'],
      [{ kind: 'finished', stdout: '', stderr: '', status: 1 }, 'no-output'],
      [{ kind: 'timed-out' }, 'no-answer'],
    ] as const) {
      const { clock, health, kinds, assume, read } = setUp()
      assume([cause])
      let isAnswering = false
      health.connected(account, 'm1', () => Promise.resolve(isAnswering ? answer(1) : outcome))
      clock.advance(5)
      await settled()
      expect([await read(), kinds()]).toEqual([expect.objectContaining({ at: null, problem }), ['disk-full']])
      isAnswering = true
      clock.advance(300)
      await settled()
      expect([await read(), kinds()]).toEqual([expect.objectContaining({ problem: null }), []])
      health.close()
    }
  })

  it('asks a driver that hangs about its GPUs once an hour, and the rest of the machine as before', async () => {
    const { clock, health, kinds, read } = setUp()
    let hangs = false
    const asked: string[] = []
    const pending = '== rows\nindex, remapped_rows.pending\n0, Yes\n'
    health.connected(account, 'm1', (script) => {
      asked.push(script)
      const disk = answer(95_000_000)
      if (disk.kind !== 'finished' || script === systemHealthScript) return Promise.resolve(disk)
      return Promise.resolve(hangs ? { kind: 'timed-out' } : { ...disk, stdout: disk.stdout + pending })
    })
    clock.advance(5)
    await settled()
    hangs = true
    for (let minutes = 0; minutes < 60; minutes += 5) {
      clock.advance(300)
      await settled()
    }
    expect(asked.filter((script) => script === healthScript)).toHaveLength(2)
    expect(asked.filter((script) => script === systemHealthScript)).toHaveLength(12)
    // Defects of the last answer stay.
    expect(kinds()).toEqual(['disk-full', 'gpu-defect'])
    expect(read()).toMatchObject({ problem: null })
    hangs = false
    clock.advance(300)
    await settled()
    clock.advance(300)
    await settled()
    expect(asked.slice(-1)).toEqual([healthScript])
  })

  it('ends the alerts of a machine that stops, or that may no longer be read', async () => {
    for (const end of ['stopped', 'no consent'] as const) {
      const { clock, health, kinds, linkTo, stop } = setUp()
      health.connected(account, 'm1', () => Promise.resolve(answer(95_000_000)))
      clock.advance(5)
      await settled()
      expect(kinds()).toEqual(['disk-full'])
      if (end === 'stopped') stop()
      linkTo({ kind: 'off', why: end === 'stopped' ? 'not-running' : 'no-consent' }, end === 'stopped')
      expect(kinds()).toEqual([])
    }
  })

  it('reports heat only if every reading of five minutes shows it', async () => {
    const { clock, health, kinds } = setUp()
    const reading = (throttle: GpuReading['throttle']) => health.addReading(account, 'm1', [{ throttle }])
    health.connected(account, 'm1', () => Promise.resolve(answer(1)))
    reading(['software-thermal'])
    clock.advance(5)
    await settled()
    expect(kinds()).toEqual([])
    for (let passed = 0; passed < 300; passed += 60) {
      clock.advance(60)
      reading(['software-thermal'])
    }
    await settled()
    expect(kinds()).toEqual(['gpu-defect'])
    reading([])
    clock.advance(300)
    await settled()
    expect(kinds()).toEqual([])
  })

  it('does not report heat across a pause without readings', async () => {
    const { clock, health, kinds } = setUp()
    const turn = async (): Promise<void> => {
      health.addReading(account, 'm1', [{ throttle: ['software-thermal'] }])
      health.connected(account, 'm1', () => Promise.resolve(answer(1)))
      clock.advance(5)
      await settled()
      health.connected(account, 'm1', null)
    }
    await turn()
    clock.advance(400)
    await turn()
    expect(kinds()).toEqual([])
  })

  it('keeps the alerts of a machine without a recent reading', async () => {
    const { clock, health, kinds, assume, linkTo } = setUp()
    const cause = {
      kind: 'disk-full',
      machine: 'm1',
      name: 'train',
      mount: '/',
      share: 0.95,
      fullIn: null,
    } as const
    assume([cause, { ...cause, machine: 'gone' }])
    linkTo(waiting)
    clock.advance(60)
    expect(kinds()).toEqual(['disk-full'])
    health.close()
  })

  it('alerts once a running machine is unreachable for ten minutes, until it is reached', async () => {
    const { clock, kinds, linkTo } = setUp()
    linkTo(waiting)
    clock.advance(540)
    linkTo({ kind: 'connecting' })
    expect(kinds()).toEqual([])
    clock.advance(60)
    expect(kinds()).toEqual(['unreachable'])
    linkTo({ kind: 'connected' })
    expect(kinds()).toEqual([])
  })

  it('alerts for an unreachable machine that waits for its turn, after another attempt', async () => {
    const { clock, kinds, linkTo } = setUp()
    linkTo(waiting)
    linkTo({ kind: 'stopped', stop: { kind: 'too-many', limit: 100 } })
    clock.advance(900)
    linkTo({ kind: 'connecting' })
    clock.advance(60)
    expect(kinds()).toEqual([])
    linkTo(waiting)
    clock.advance(60)
    expect(kinds()).toEqual(['unreachable'])
    linkTo({ kind: 'stopped', stop: { kind: 'too-many', limit: 100 } })
    clock.advance(600)
    expect(kinds()).toEqual(['unreachable'])
    linkTo({ kind: 'connected' })
    expect(kinds()).toEqual([])
  })

  it('does not alert for a machine that is stopped', async () => {
    const { clock, kinds, linkTo, stop } = setUp()
    linkTo(waiting)
    stop()
    linkTo({ kind: 'off', why: 'not-running' })
    clock.advance(1_200)
    expect(kinds()).toEqual([])
  })

  it('does not alert while this computer has no network, nor right after it slept', async () => {
    const { clock, kinds, linkTo, setOnline } = setUp()
    setOnline(false)
    linkTo(waiting)
    clock.advance(3_600)
    expect(kinds()).toEqual([])
    setOnline(true)
    clock.advance(540)
    expect(kinds()).toEqual([])
    clock.set(clock.now() + 8 * 3_600)
    clock.advance(540)
    expect(kinds()).toEqual([])
    clock.advance(60)
    expect(kinds()).toEqual(['unreachable'])
  })

  it('ends the alerts of a machine that is gone', async () => {
    const { clock, health, kinds, remove } = setUp()
    health.connected(account, 'm1', () => Promise.resolve(answer(95_000_000)))
    clock.advance(5)
    await settled()
    expect(kinds()).toEqual(['disk-full'])
    remove()
    health.forget(account, ['m1'])
    expect(kinds()).toEqual([])
  })
})
