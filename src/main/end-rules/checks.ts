import type { AccountId } from '#shared/bridge/account'
import { endNoticeSeconds, type EndRule } from '#shared/bridge/end-rule'
import { translate } from '#shared/messages/index'
import type { MachineCost } from '../alerts/money-alerts'
import type { Clock } from '../core/clock'
import type { ReportError } from '../core/report-error'
import { decide, dueAt, type EndFacts } from './decide'
import type { Ends } from './end-machine'
import { warningText } from './notice'
import type { OpenRules } from './rules'

export interface ChecksDeps {
  readonly clock: Clock
  /** Epoch seconds since which the GPUs are idle, for at least so many minutes; null: they are not, or it is unknown. */
  idleSince(account: AccountId, machine: string, minutes: number): number | null
  /** Epoch seconds of the end of a job; null: it runs; `lost`: it can't be followed any more. */
  jobEnd(account: AccountId, job: string): number | null | 'lost'
  costsOf(account: AccountId, machines: readonly string[]): Promise<ReadonlyMap<string, MachineCost>>
  readonly report: ReportError
}

/** Pause between two checks. Timers stop while the computer sleeps, the clock does not. */
const checkSeconds = 30
/** Time between two checks from which the computer was asleep, or its clock was set. */
const sleptSeconds = 3 * checkSeconds
const noFacts: EndFacts = { idleSince: null, cost: null, perHour: null, jobEnd: null }

/** Checks the rules at regular intervals. `checked` is called after each reading of the facts. */
export function createChecks(
  deps: ChecksDeps,
  rules: OpenRules,
  ends: Ends,
  isClosed: () => boolean,
  checked: () => void,
) {
  const { clock, report } = deps
  let facts: ReadonlyMap<string, EndFacts> = new Map()
  let lastCheck: number | null = null
  let cancel = (): void => undefined

  /** Reads the facts of all rules. Costs that cannot be read are unknown; old facts are never reused. */
  async function readFacts(): Promise<void> {
    const now = rules.all()
    const budgets = now.filter(({ when }) => when.kind === 'budget')
    const costs = new Map<AccountId, ReadonlyMap<string, MachineCost>>()
    for (const account of new Set(budgets.map((rule) => rule.account))) {
      const machines = budgets.filter((rule) => rule.account === account).map(({ machine }) => machine)
      const read = await deps.costsOf(account, machines).catch((error: unknown) => {
        report('endRules.read', error)
        return new Map<string, MachineCost>()
      })
      costs.set(account, read)
    }
    const found = new Map<string, EndFacts>()
    for (const { id, account, machine, when } of now) {
      const cost = costs.get(account)?.get(machine)
      found.set(id, {
        idleSince:
          when.kind === 'idle'
            ? deps.idleSince(
                account,
                machine,
                Math.max(1, Math.floor((when.seconds - endNoticeSeconds) / 60)),
              )
            : null,
        cost: cost?.cost ?? null,
        perHour: cost?.perHour ?? null,
        jobEnd: when.kind === 'job' ? deps.jobEnd(account, when.job) : null,
      })
    }
    facts = found
  }

  async function step(rule: EndRule, now: number, hasSlept: boolean): Promise<void> {
    const { id, state } = rule
    // An end takes longer than the pause between checks.
    if (state.kind === 'ending') return void ends.resume(rule, state.isSent)
    const next = decide(rule, facts.get(id) ?? noFacts, now, hasSlept)
    if (next.kind === 'end') return void ends.end(id)
    if (next.kind === 'none') return
    if (next.state.kind === 'held') return ends.hold(rule, next.state.why)
    if (next.state.kind === 'warned' && state.kind === 'armed')
      ends.notify(rule, warningText(rule, next.state.endsAt, translate))
    await rules.setState(id, next.state)
  }

  let checking = Promise.resolve()
  const check = (): Promise<void> => (checking = checking.then(checkOnce))
  async function checkOnce(): Promise<void> {
    cancel()
    if (isClosed()) return
    cancel = clock.after(checkSeconds, () => void check())
    await readFacts()
    if (isClosed()) return
    const now = clock.now()
    const hasSlept = lastCheck === null || Math.abs(now - lastCheck) > sleptSeconds
    lastCheck = now
    const steps = rules
      .all()
      .filter(({ id }) => !ends.isRunning(id))
      .map((rule) => step(rule, now, hasSlept).catch((error: unknown) => report('endRules.save', error)))
    checked()
    await Promise.all(steps)
  }

  return {
    check,
    dueOf: (rule: EndRule): number | null =>
      rule.state.kind === 'warned'
        ? rule.state.endsAt
        : dueAt(rule, facts.get(rule.id) ?? noFacts, clock.now()),
    hasChecked: (): boolean => lastCheck !== null,
    async close(): Promise<void> {
      cancel()
      await checking
    },
  }
}
export type Checks = ReturnType<typeof createChecks>
