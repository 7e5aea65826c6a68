import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { WasteItem } from '#shared/bridge/waste'
import { Money, sumByCurrency } from '#shared/money/money'
import type { Clock } from '../core/clock'
import type { ReportError } from '../core/report-error'
import type { Sections } from '../store/settings'

/** Time for which the waste of an ended resource counts as part of the waste so far. */
const countedSeconds = 30 * 86_400

/** Cost that a resource wasted until it ended at `at`, in epoch seconds. */
const EndedWaste = z.object({ id: z.string(), soFar: Money, at: z.number() })
type EndedWaste = z.infer<typeof EndedWaste>

const Section = z.object({ accounts: z.record(z.string(), z.array(EndedWaste)).default({}) })

interface EndedWasteDeps {
  readonly documents: Sections
  readonly now: Clock['now']
  readonly report: ReportError
}

const keyOf = ({ id, soFar }: Pick<WasteItem, 'id' | 'soFar'>): string => `${soFar?.currency ?? ''} ${id}`

/** Waste of resources that ended, so that ending one does not lower the waste so far. */
export function createEndedWaste({ documents, now, report }: EndedWasteDeps) {
  const section = documents.section('ended-waste', Section)
  /** Waste by account as last found, and of resources that left their list but are still charged. */
  const last = new Map<AccountId, ReadonlyMap<string, WasteItem>>()

  const isCounted = ({ at }: EndedWaste): boolean => at <= now() && at + countedSeconds > now()
  const endedOf = (account: AccountId): readonly EndedWaste[] =>
    Object.hasOwn(section.read().accounts, account) ? (section.read().accounts[account] ?? []) : []

  function record(account: AccountId, ended: readonly EndedWaste[]): void {
    void section
      .change(({ accounts }) => {
        const before = Object.hasOwn(accounts, account) ? (accounts[account] ?? []) : []
        return { accounts: { ...accounts, [account]: [...before.filter(isCounted), ...ended] } }
      })
      .catch((error: unknown) => report('waste.find', error))
  }

  const costs = (account: AccountId, current: ReadonlyMap<string, unknown> = new Map()): Money[] => [
    ...sumByCurrency(
      endedOf(account)
        .filter((one) => isCounted(one) && !current.has(keyOf(one)))
        .map(({ soFar }) => soFar),
    ),
  ]

  return {
    /** Returns the waste of ended resources by currency. */
    costs: (account: AccountId): Money[] => costs(account),
    /**
     * Compares the waste of an account with that found before. `charged`: ids of all charged resources; `leaving`: ids
     * of resources that just left their list. Returns the waste of ended resources by currency.
     */
    follow(
      account: AccountId,
      items: readonly WasteItem[],
      { charged, leaving }: { readonly charged: ReadonlySet<string>; readonly leaving: ReadonlySet<string> },
    ): Money[] {
      const current = new Map(items.map((item) => [keyOf(item), item]))
      const missing = [...(last.get(account)?.values() ?? [])].filter((item) => !current.has(keyOf(item)))
      const waiting = missing.filter(({ id }) => charged.has(id) && leaving.has(id))
      const ended = missing.flatMap(({ id, soFar }): EndedWaste[] =>
        charged.has(id) || soFar === null ? [] : [{ id, soFar, at: now() }],
      )
      last.set(account, new Map([...current, ...waiting.map((item) => [keyOf(item), item] as const)]))
      if (ended.length > 0) record(account, ended)
      return [...sumByCurrency([...costs(account, current), ...waiting.flatMap(({ soFar }) => soFar ?? [])])]
    },
    async forgetAccount(account: AccountId): Promise<void> {
      last.delete(account)
      await section.change(({ accounts }) => ({
        accounts: Object.fromEntries(Object.entries(accounts).filter(([id]) => id !== account)),
      }))
    },
  }
}
