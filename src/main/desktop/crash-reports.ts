import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { EarlierCrash } from '../app/app-info'
import type { SettingsSection } from '../store/settings'
import { CrashReport } from './crash-report'

/** Reports on disk at most: the newest. */
const mostKept = 10
/** Of one run: an error that comes again and again says nothing new. */
const mostOfRun = 5
/** The time, as in a file's name, and the kind. */
const reportName = /^\d{4}-[\dTZ-]+-(?:exception|rejection|ended)\.json$/

/** Names of the reports that the person has dismissed. */
export const SeenReports = z.object({ seen: z.array(z.string()).default([]) })

/** The reports in a folder of their own, the oldest first. */
const reportsIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => reportName.test(name))
      .sort()
  } catch {
    return []
  }
}

/** Writes reports at once, since the process may end; where the disk refuses, nothing is kept. */
export function crashReportWriter(folder: string): (report: CrashReport) => void {
  let written = 0
  return (report) => {
    if (written >= mostOfRun) return
    written += 1
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const name = `${report.at.replaceAll(/[:.]/g, '-')}-${report.kind}.json`
      writeFileSync(join(folder, name), `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 })
      for (const old of reportsIn(folder).slice(0, -mostKept)) rmSync(join(folder, old), { force: true })
    } catch {
      // The process ends all the same.
    }
  }
}

/** The crash of an earlier run that the person has not dismissed. */
export function earlierCrash(
  folder: string,
  section: Pick<SettingsSection<z.infer<typeof SeenReports>>, 'read' | 'change'>,
  showInFolder: (path: string) => void,
): EarlierCrash {
  // Those of this run are for the next one.
  const found = reportsIn(folder).filter((name) => !name.endsWith('-rejection.json'))
  const last = found.findLast((name) => !section.read().seen.includes(name))

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
    /** Where the disk refuses to remember it, it is dismissed for this run. */
    async dismiss() {
      dismissed = true
      await section.change(() => ({ seen: [...found] })).catch(() => undefined)
    },
  }
}
