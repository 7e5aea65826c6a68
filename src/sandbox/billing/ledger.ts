import type { Cloud } from '../cloud/cloud'
import { dayOf, statementsOf, type StatementRecord } from './statements'

export interface Ledger {
  /** Returns the statements until now, newest first. */
  statements(): readonly StatementRecord[]
}

const newestFirst = (left: StatementRecord, right: StatementRecord): number => right.from - left.from

/** Derives statements from usage. Past days no longer change and are cached: a large fleet has 100,000 statements. */
export function createLedger(cloud: Cloud): Ledger {
  let cached: { key: string; statements: readonly StatementRecord[] } | undefined
  const usage = () => [...cloud.usage.values()]

  const statementsBefore = (day: number, now: number): readonly StatementRecord[] => {
    const key = `${cloud.usageRevision()}/${day}`
    if (cached?.key !== key) {
      const statements = usage()
        .flatMap((entry) => statementsOf(entry, now))
        .filter((statement) => dayOf(statement.from) < day)
      cached = { key, statements: statements.sort(newestFirst) }
    }
    return cached.statements
  }
  return {
    statements: () => {
      const now = cloud.now()
      // The last minute of a day ends in the next one.
      const open = dayOf(now - 60)
      const recent = usage().flatMap((entry) => statementsOf(entry, now, open))
      return [...recent.sort(newestFirst), ...statementsBefore(open, now)]
    },
  }
}
