import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { z } from 'zod'
import type { CrashReport } from './crash-report'
import { crashReportWriter, earlierCrash, type SeenReports } from './crash-reports'

const folderOf = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-crashes-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'crash-reports')
}
const report = (minute: number, kind: CrashReport['kind'] = 'exception'): CrashReport => ({
  kind,
  at: new Date(Date.UTC(2026, 10, 22, 17, minute)).toISOString(),
  version: '1',
  electron: '45',
  system: 'linux x64',
  error: 'Error',
  code: null,
  frames: [],
})
const epoch = (minute: number): number => Date.UTC(2026, 10, 22, 17, minute) / 1000

/** Opens the crash of the next start, with the reports that were dismissed before. */
const nextStart = (folder: string) => {
  let kept: z.infer<typeof SeenReports> = { seen: [] }
  const shown: string[] = []
  const section = {
    read: () => kept,
    change: (update: (value: typeof kept) => typeof kept) => Promise.resolve((kept = update(kept))),
  }
  const start = () => earlierCrash(folder, section, (path) => shown.push(path))
  return { start, shown }
}

it('finds the last crash at the next start, shows its file, and hides it after dismissal', async () => {
  const folder = folderOf()
  const { start, shown } = nextStart(folder)
  expect(start().at()).toBeNull()
  const write = crashReportWriter(folder)
  write(report(1))
  write(report(2))
  const crash = start()
  expect(crash.at()).toBe(epoch(2))
  crash.show()
  expect(JSON.parse(readFileSync(shown[0] ?? '', 'utf8'))).toEqual(report(2))
  await crash.dismiss()
  expect(crash.at()).toBeNull()
  expect(start().at()).toBeNull()
  write(report(0))
  expect(start().at(), 'a clock that was set back').toBe(epoch(0))
})

it('ignores rejections, which did not end the run, and truncated reports', () => {
  const folder = folderOf()
  crashReportWriter(folder)(report(1, 'rejection'))
  expect(nextStart(folder).start().at()).toBeNull()
  writeFileSync(join(folder, '2026-11-22T17-05-00-000Z-exception.json'), '{"kind": "exc')
  expect(nextStart(folder).start().at()).toBeNull()
})

it('stores the ten newest reports, at most five per run, readable by this user only', () => {
  const folder = folderOf()
  for (let run = 0; run < 4; run += 1) {
    const write = crashReportWriter(folder)
    for (let minute = 0; minute < 9; minute += 1) write(report(run * 10 + minute))
  }
  const names = readdirSync(folder)
  expect(names).toHaveLength(10)
  expect(names[0]).toContain('T17-20-')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, names[0] ?? '')).mode & 0o777).toBe(0o600)
})

it('a run ends even if the disk refuses the report', () => {
  const folder = folderOf()
  writeFileSync(folder, 'a file in its place')
  crashReportWriter(folder)(report(1))
  expect(nextStart(folder).start().at()).toBeNull()
})
