import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { EarlierCrash } from '../app/app-info'
import type { SettingsSection } from '../store/settings'
import { CrashReport } from './crash-report'
import { ignoreDiskErrors } from './run-marker'

/** Upper bound on the reports on disk; the oldest are deleted. */
const maxReports = 10
/** Upper bound on the reports of one run: a repeated error adds nothing. */
const maxReportsPerRun = 5
/** File name of a report: time and kind. */
const reportName = /^\d{4}-[\dTZ-]+-(?:exception|rejection|ended)\.json$/

/** Names of the reports that the user dismissed. */
export const SeenReports = z.object({ seen: z.array(z.string()).default([]) })

const reportsIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => reportName.test(name))
      .sort()
  } catch {
    return []
  }
}

/** Returns a function that writes a report synchronously, since the process may end. Disk errors are ignored. */
export function crashReportWriter(folder: string): (report: CrashReport) => void {
  let written = 0
  return (report) => {
    if (written >= maxReportsPerRun) return
    written += 1
    ignoreDiskErrors(() => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const name = `${report.at.replaceAll(/[:.]/g, '-')}-${report.kind}.json`
      writeFileSync(join(folder, name), `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 })
      for (const old of reportsIn(folder).slice(0, -maxReports)) rmSync(join(folder, old), { force: true })
    })
  }
}

/** Finds the last crash of an earlier run that the user has not dismissed. */
export function earlierCrash(
  folder: string,
  section: Pick<SettingsSection<z.infer<typeof SeenReports>>, 'read' | 'change'>,
  showInFolder: (path: string) => void,
): EarlierCrash {
  // Read once at the start: crashes of this run appear at the next start.
  const crashes = reportsIn(folder).filter((name) => !name.endsWith('-rejection.json'))
  const last = crashes.findLast((name) => !section.read().seen.includes(name))

  const atOf = (name: string): number | null => {
    try {
      const { at } = CrashReport.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')))
      const ms = Date.parse(at)
      return Number.isNaN(ms) ? null : Math.floor(ms / 1000)
    } catch {
      return null
    }
  }
  const at = last === undefined ? null : atOf(last)
  let dismissed = false
  return {
    at: () => (dismissed ? null : at),
    show() {
      if (last !== undefined) showInFolder(join(folder, last))
    },
    /** Hides the crash in this run even if the disk refuses to store that. */
    async dismiss() {
      dismissed = true
      await section.change(() => ({ seen: [...crashes] })).catch(() => undefined)
    },
  }
}
