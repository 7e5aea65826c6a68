import type { World } from '../world/world'
import { statementsOf, type StatementRecord } from './statements'

/** What has been charged in a world. */
export interface Books {
  /** Every statement until now, newest first. */
  statements(): readonly StatementRecord[]
}

/** Statements follow from usage, so they are computed when asked for and kept for the minute in which they hold. */
export function createBooks(world: World): Books {
  let kept: { key: string; statements: readonly StatementRecord[] } | undefined
  return {
    statements: () => {
      const now = world.now()
      const key = `${world.usageRevision()}/${now}`
      if (kept?.key !== key) {
        const statements = [...world.usage.values()].flatMap((usage) => statementsOf(usage, now))
        statements.sort((left, right) => right.from - left.from)
        kept = { key, statements }
      }
      return kept.statements
    },
  }
}
