import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { CrashReport } from './crash-report'
import { type Run, startRun } from './run-marker'

const hour = 3_600_000
const start = Date.UTC(2026, 10, 22, 17)
const thisRun: Run = { version: '1', electron: '45', system: 'linux x64', session: '3' }

const computer = () => {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'running.json')
  const reports: CrashReport[] = []
  let now = start
  return {
    file,
    reports,
    at: (ms: number) => (now = ms),
    run: (run = thisRun, bootedMs = start - hour) =>
      startRun(file, run, { nowMs: () => now, bootedMs, report: (of) => reports.push(of) }),
  }
}

it('reports a silently ended run at the next start, once, with the time when it was last alive', () => {
  const { run, at, reports } = computer()
  const first = run()
  at(start + hour)
  first.alive()
  const second = run({ ...thisRun, version: '2' })
  expect(reports).toEqual([
    {
      kind: 'ended',
      at: '2026-11-22T18:00:00.000Z',
      version: '1',
      electron: '45',
      system: 'linux x64',
      error: 'unknown',
      code: null,
      frames: [],
    },
  ])
  second.end()
  run()
  expect(reports).toHaveLength(1)
})

it('does not report a run that ended in order', () => {
  const { run, file, reports } = computer()
  run().end()
  expect(existsSync(file)).toBe(false)
  run()
  expect(reports).toEqual([])
})

it('does not report a run that ended with the computer or the session', () => {
  const { run, reports } = computer()
  run().alive()
  run(thisRun, start + hour)
  run({ ...thisRun, session: '4' }).alive()
  expect(reports).toEqual([])
})

it('continues if the disk refuses or the marker is truncated', () => {
  const { run, file, reports } = computer()
  run()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, '{"version": "1", "el')
  run()
  const nowhere = startRun(join(file, 'below-a-file'), thisRun, {
    nowMs: () => start,
    bootedMs: 0,
    report: (of: CrashReport) => reports.push(of),
  })
  nowhere.alive()
  nowhere.end()
  expect(reports).toEqual([])
})
