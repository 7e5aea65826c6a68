import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CheckUpReport, CheckUpStep } from '#shared/bridge/check-up'
import { account, telemetryHarness, telemetryServer } from '../../../test/fixtures/telemetry-harness'
import type { MachineFault } from '../../sandbox/cloud/gpu-profile'
import { systemClock } from '../core/clock'
import { createCheckUps, earlierOf, withReport } from './index'

const flavor = { name: 'h100x2', cpu: 26, ram: 200, disk: 100, gpu: 'NVIDIA H100 80GB SXM', gpuCount: 2 }

async function setUp() {
  const faults: MachineFault[] = []
  const hardware = { gpu: 'NVIDIA H100 80GB SXM', gpuCount: 2, cpu: 26, ram: 200, disk: 100 }
  const server = await telemetryServer([{ name: 'm1', ...hardware, faults: () => faults }])
  const harness = telemetryHarness(server.port)
  const machine = harness.machines.get('m1')
  if (!machine) expect.fail()
  harness.machines.set('m1', { ...machine, flavor })
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-check-up-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const checkUps = createCheckUps({
    accounts: { view: () => ({ accounts: [], selected: null }) },
    documents: harness.settings,
    machine: (_account, id) => harness.machines.get(id),
    sshMachines: harness.sshMachines,
    chooseTarget: (name) => Promise.resolve(join(folder, name)),
    showInFolder: () => undefined,
    printPdf: (html) => Promise.resolve(Buffer.from(`PDF of ${html}`)),
    clock: systemClock,
    report: (action, error) => expect.fail(`${action}: ${String(error)}`),
  })
  onTestFinished(() => checkUps.close())
  const steps: (CheckUpStep | null)[] = []
  checkUps.events['checkUp.changed'](({ running }) => steps.push(running))
  const call = checkUps.handlers
  return {
    ...harness,
    server,
    checkUps,
    steps,
    faults,
    folder,
    call,
    start: () => call['checkUp.start']({ account, machine: 'm1' }),
    read: () => call['checkUp.read']({ account, machine: 'm1' }),
  }
}
const problems = ({ results }: CheckUpReport) =>
  results.flatMap(({ verdict, check }) => (verdict === 'bad' || verdict === 'warning' ? check : []))

describe('a check-up over SSH', () => {
  it('measures the machine, is kept and saved as text and PDF', async () => {
    const { start, read, steps, folder, call } = await setUp()
    const outcome = await start()
    if (outcome.kind !== 'done') expect.fail(JSON.stringify(outcome))
    const { report } = outcome
    expect(problems(report)).toEqual([])
    expect(report.results).toContainEqual(expect.objectContaining({ check: 'cores', found: '26' }))
    expect(Math.round((report.diskSpeed ?? 0) / 10)).toBe(115)
    expect(report.networkSpeed).toBeGreaterThan(0)
    expect(new Set(steps)).toEqual(new Set(['connecting', 'reading', 'disk', 'network', 'comparing', null]))
    expect((await read()).reports).toEqual([report])

    const save = (format: 'pdf' | 'txt') =>
      call['checkUp.save']({ account, machine: 'm1', at: report.at, format, job: '12345678-1234' })
    const { file } = await save('txt')
    const text = readFileSync(join(folder, file), 'utf8')
    expect(text).toContain('[Good] Number of GPUs: 2 (Expected: 2)')
    expect(text).toContain('[Not checked] GPU errors in the kernel’s log')
    const pdf = await save('pdf')
    expect(readFileSync(join(folder, pdf.file), 'utf8')).toContain('NVIDIA H100 80GB')
  })

  it('finds the defects of a machine', async () => {
    const { start, faults } = await setUp()
    faults.push('slow-pcie', 'full-disk', 'ecc-errors', 'pending-remap', 'recovery-action', 'hot', 'xid')
    const outcome = await start()
    if (outcome.kind !== 'done') expect.fail(JSON.stringify(outcome))
    expect(problems(outcome.report)).toEqual([
      'pcie',
      'ecc',
      'remapped-rows',
      'recovery',
      'throttling',
      'kernel-log',
      'disk-space',
    ])
    expect(outcome.report.diskSpeed).toBeNull()
  })

  it('stops when the user cancels, and does not run twice on one machine', async () => {
    const { start, call, read } = await setUp()
    const first = start()
    await expect(start()).rejects.toMatchObject({ failure: { kind: 'invalid-input', reason: 'not-ready' } })
    await call['checkUp.cancel']({ account, machine: 'm1' })
    expect(await first).toEqual({ kind: 'stopped', state: { kind: 'cancelled' } })
    expect(await read()).toMatchObject({ running: null, reports: [] })
  })

  it('does not connect to a machine that is not running', async () => {
    const { start, place } = await setUp()
    place('m1', 'ubuntu', 'stopped')
    expect(await start()).toEqual({ kind: 'stopped', state: { kind: 'unavailable', why: 'stopped' } })
  })
})

describe('kept reports', () => {
  const report = (machine: string, at: number, diskSpeed: number): CheckUpReport => ({
    machine,
    name: machine,
    flavor: 'h100x2',
    region: null,
    at,
    seconds: 1,
    diskSpeed,
    networkSpeed: null,
    results: [],
  })
  it('are the last ten of each machine', () => {
    const many = Array.from({ length: 12 }, (_, at) => report('m1', at, at))
    const kept = many.reduce<CheckUpReport[]>(withReport, [report('m2', 0, 1)])
    expect(kept.map(({ machine, at }) => [machine, at])).toEqual([
      ['m2', 0],
      ...Array.from({ length: 10 }, (_, at) => ['m1', at + 2]),
    ])
  })
  it('are compared by the newest of each other machine with the flavor', async () => {
    const { machines } = await setUp()
    const machine = machines.get('m1')
    if (!machine) expect.fail()
    const reports = [report('m1', 1, 5), report('m2', 1, 10), report('m2', 2, 20), report('m3', 1, 30)]
    expect(earlierOf(reports, machine)).toEqual({ diskSpeed: [20, 30], networkSpeed: [] })
  })
})
