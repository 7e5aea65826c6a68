import type { EndRule, EndState, HeldReason } from '#shared/bridge/end-rule'
import { lookCounts, type LookOutcome } from '#shared/bridge/last-look'
import type { ActionOutcome } from '#shared/bridge/machine-action'
import type { Failure } from '#shared/failure'
import { translate } from '#shared/messages/index'
import type { AccountId } from '#shared/bridge/account'
import type { Clock } from '../core/clock'
import { failureOf } from '../core/failure-of'
import type { ShowNotification } from '../core/notification'
import type { ReportError } from '../core/report-error'
import type { MachineActions } from '../fleet/machine-actions'
import type { LastLooks } from '../last-look/index'
import { heldBy } from './decide'
import { endedText, heldText } from './notice'
import { readPresence } from './presence'
import type { OpenRules } from './rules'

export interface EndsDeps {
  readonly clock: Clock
  /** Reads the details of a machine. Fails as the client does. */
  machine(account: AccountId, id: string): Promise<{ readonly status?: string | null | undefined }>
  readonly actions: Pick<MachineActions, 'power' | 'remove'>
  look(order: Parameters<LastLooks['look']>[0]): Promise<LookOutcome>
  readonly showNotification: ShowNotification
  readonly report: ReportError
}

/** `why`: why the end is held; null: the machine was ended. `look`: the look before it; null: there was none in this run. */
interface Ended {
  readonly why: HeldReason | null
  readonly failure: Failure | null
  readonly look: LookOutcome | null
}
const done = (look: LookOutcome | null = null): Ended => ({ why: null, failure: null, look })
const held = (why: HeldReason, failure: Failure | null = null, look: LookOutcome | null = null): Ended => ({
  why,
  failure,
  look,
})

/** Carries out rules: the last look, then the request, once. Notifies the user of the result. */
export function createEnds(deps: EndsDeps, rules: OpenRules, isClosed: () => boolean) {
  const { clock, report } = deps
  const running = new Map<string, Promise<void>>()

  function notify({ account, machine }: EndRule, words: Parameters<ShowNotification>[1]): void {
    deps.showNotification('end-rule', words, { page: 'machines', account, machine })
  }
  async function hold(
    rule: EndRule,
    why: HeldReason,
    failure: Failure | null = null,
    look: LookOutcome | null = null,
  ): Promise<void> {
    const found = look?.kind === 'looked' ? lookCounts(look.look) : null
    const state: EndState = { kind: 'held', why, at: Math.floor(clock.now()), failure, found }
    notify(rule, heldText(rule, why, look, translate))
    await rules.setState(rule.id, state)
  }
  async function finish(rule: EndRule, look: LookOutcome | null): Promise<void> {
    notify(rule, endedText(rule, look, translate))
    await rules.drop(rule.id)
  }

  /** Whether the rule is still ending; false after the user extended or cancelled it. */
  const isEnding = (id: string): boolean => !isClosed() && rules.find(id)?.state.kind === 'ending'

  const send = ({ account, machine, action, name }: EndRule): Promise<ActionOutcome> =>
    action === 'delete'
      ? deps.actions.remove(account, machine, name)
      : deps.actions.power(account, machine, 'stop')

  /** Ends the machine of a rule whose state is `ending`. Resolves to null if the user intervened. */
  async function endOnce(rule: EndRule): Promise<Ended | null> {
    const { account, machine, action, id } = rule
    const presence = await readPresence(deps.machine(account, machine))
    if (presence.kind === 'failed') return held('failed', presence.failure)
    if (presence.kind === 'gone' || (presence.kind === 'stopped' && action === 'stop')) return done()
    if (presence.kind === 'moving') return held('changing')
    if (!isEnding(id)) return null
    const look = await deps.look({ account, machine, before: action, mayAsk: false })
    if (!isEnding(id)) return null
    const why = heldBy(action, look)
    if (why !== null) return held(why, null, look)
    try {
      // Stored first: after a crash, the request is not sent again.
      await rules.setState(id, { kind: 'ending', isSent: true })
    } catch (error) {
      return held('not-saved', failureOf(error, 'endRules.save'), look)
    }
    if (!isEnding(id)) return null
    try {
      const result = await send(rule)
      return result.kind === 'unknown' ? await outcomeOfSent(rule, look) : done(look)
    } catch (error) {
      return held('failed', failureOf(error, `machine.${action}`), look)
    }
  }
  /** Reads the effect of a request without an answer. It is never sent again without the user. */
  async function outcomeOfSent(
    { account, machine, action }: EndRule,
    look: LookOutcome | null,
  ): Promise<Ended> {
    const presence = await readPresence(deps.machine(account, machine))
    const isDone =
      presence.kind === 'gone' ||
      (action === 'stop' && (presence.kind === 'stopped' || presence.kind === 'moving'))
    return isDone ? done(look) : held('unknown', presence.kind === 'failed' ? presence.failure : null, look)
  }

  async function conclude(rule: EndRule, work: () => Promise<Ended | null>): Promise<void> {
    let ended: Ended | null
    try {
      ended = await work()
    } catch (error) {
      ended = held('failed', failureOf(error, `machine.${rule.action}`))
    }
    const state = rules.find(rule.id)?.state.kind
    if (ended === null || isClosed() || state === undefined) return
    const { why, failure, look } = ended
    if (why === null) return finish(rule, look)
    // The user intervened before anything was sent.
    if (state === 'ending') await hold(rule, why, failure, look)
  }
  /** Runs `work` for a rule, once at a time. */
  function run(id: string, work: () => Promise<void>): Promise<void> {
    const begun = running.get(id)
    if (begun) return begun
    const ran = work()
      .catch((error: unknown) => report('endRules.end', error))
      .finally(() => running.delete(id))
    running.set(id, ran)
    return ran
  }
  const end = (id: string): Promise<void> =>
    run(id, async () => {
      const rule = rules.find(id)
      if (!rule) return
      try {
        await rules.setState(id, { kind: 'ending', isSent: false })
      } catch (error) {
        return hold(rule, 'not-saved', failureOf(error, 'endRules.save'))
      }
      await conclude(rule, () => endOnce(rule))
    })
  /** Concludes an end that a crash or quit interrupted: only reads. */
  const resume = (rule: EndRule, isSent: boolean): Promise<void> =>
    run(rule.id, () =>
      conclude(rule, () => (isSent ? outcomeOfSent(rule, null) : Promise.resolve(held('missed')))),
    )

  return {
    notify,
    hold,
    end,
    resume,
    isRunning: (id: string): boolean => running.has(id),
    settled: async (): Promise<void> => void (await Promise.allSettled(running.values())),
  }
}
export type Ends = ReturnType<typeof createEnds>
