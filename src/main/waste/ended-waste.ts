import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { WasteItem } from '#shared/bridge/waste'
import { Money, sumByCurrency } from '#shared/money/money'
import type { Clock } from '../core/clock'
import type { ReportError } from '../core/report-error'
import type { Sections } from '../store/settings'

/** Time for which the waste of an ended resource counts as part of the waste so far. */
const countedSeconds = 30 * 86_400

/**
 * Time for which a resource may be charged after it left the waste, in seconds: while it is deleted, it is no waste any
 * more. Later it counts as used again.
 */
const deletionSeconds = 600

/** Cost that a resource wasted until it ended at `at`, in epoch seconds. */
const EndedWaste = z.object({ id: z.string(), soFar: Money, at: z.number() })
type EndedWaste = z.infer<typeof EndedWaste>

const Section = z.object({ accounts: z.record(z.string(), z.array(EndedWaste)).default({}) })

interface EndedWasteDeps {
  readonly documents: Sections
  readonly now: Clock['now']
  readonly report: ReportError
}

interface FoundWaste {
  readonly item: WasteItem
  readonly missingSince: number | null
}

/**
 * Whether the cost of an item includes the cost of ended waste of the same resource. A machine that was used in between
 * starts at zero.
 */
const includes = ({ reason }: WasteItem, { at }: EndedWaste): boolean =>
  !('since' in reason) || reason.since < at

const keyOf = ({ id, soFar }: Pick<WasteItem, 'id' | 'soFar'>): string => `${soFar?.currency ?? ''} ${id}`

/** Waste of resources that ended, so that ending one does not lower the waste so far. */
export function createEndedWaste({ documents, now, report }: EndedWasteDeps) {
  const section = documents.section('ended-waste', Section)
  /** Waste by account as last found, with the time since which it is missing, in epoch seconds. */
  const last = new Map<AccountId, readonly FoundWaste[]>()

  const isCounted = ({ at }: EndedWaste): boolean => at <= now() && at + countedSeconds > now()
  const endedOf = (account: AccountId): readonly EndedWaste[] =>
    Object.hasOwn(section.read().accounts, account) ? (section.read().accounts[account] ?? []) : []

  const isIncluded = (one: EndedWaste, items: ReadonlyMap<string, WasteItem>): boolean => {
    const item = items.get(keyOf(one))
    return item !== undefined && includes(item, one)
  }

  function record(account: AccountId, items: readonly WasteItem[]): void {
    const added = new Map(items.map((item) => [keyOf(item), item]))
    const ended = items.flatMap(({ id, soFar }) => (soFar === null ? [] : [{ id, soFar, at: now() }]))
    void section
      .change(({ accounts }) => {
        const before = Object.hasOwn(accounts, account) ? (accounts[account] ?? []) : []
        const kept = before.filter((one) => isCounted(one) && !isIncluded(one, added))
        return { accounts: { ...accounts, [account]: [...kept, ...ended] } }
      })
      .catch((error: unknown) => report('waste.find', error))
  }

  const costs = (account: AccountId, current: ReadonlyMap<string, WasteItem> = new Map()): Money[] => [
    ...sumByCurrency(
      endedOf(account)
        .filter((one) => isCounted(one) && !isIncluded(one, current))
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
      const missing = (last.get(account) ?? [])
        .filter(({ item }) => !current.has(keyOf(item)))
        .map(({ item, missingSince }) => ({ item, missingSince: missingSince ?? now() }))
      const waiting = missing.filter(
        ({ item: { id }, missingSince }) =>
          charged.has(id) && (leaving.has(id) || Math.abs(now() - missingSince) < deletionSeconds),
      )
      const ended = missing.flatMap(({ item }) => (charged.has(item.id) || item.soFar === null ? [] : [item]))
      last.set(account, [...items.map((item) => ({ item, missingSince: null })), ...waiting])
      if (ended.length > 0) record(account, ended)
      return [
        ...sumByCurrency([...costs(account, current), ...waiting.flatMap(({ item }) => item.soFar ?? [])]),
      ]
    },
    async forgetAccount(account: AccountId): Promise<void> {
      last.delete(account)
      await section.change(({ accounts }) => ({
        accounts: Object.fromEntries(Object.entries(accounts).filter(([id]) => id !== account)),
      }))
    },
  }
}
