import type { World } from '../cloud/cloud'
import { dayOf, statementsOf, type StatementRecord } from './statements'

/** What has been charged in a world. */
export interface Books {
  /** Every statement until now, newest first. */
  statements(): readonly StatementRecord[]
}

const newestFirst = (left: StatementRecord, right: StatementRecord): number => right.from - left.from

/** Statements follow from usage. Those of days that are over no longer change, so they are kept; a large fleet has 100,000. */
export function createBooks(world: World): Books {
  let kept: { key: string; statements: readonly StatementRecord[] } | undefined
  const usage = () => [...world.usage.values()]

  const before = (day: number, now: number): readonly StatementRecord[] => {
    const key = `${world.usageRevision()}/${day}`
    if (kept?.key !== key) {
      const statements = usage()
        .flatMap((entry) => statementsOf(entry, now))
        .filter((statement) => dayOf(statement.from) < day)
      kept = { key, statements: statements.sort(newestFirst) }
    }
    return kept.statements
  }
  return {
    statements: () => {
      const now = world.now()
      // The last minute of a day ends in the next one.
      const open = dayOf(now - 60)
      const recent = usage().flatMap((entry) => statementsOf(entry, now, open))
      return [...recent.sort(newestFirst), ...before(open, now)]
    },
  }
}
