import type { AccountId } from '#shared/bridge/account'
import type { Creation } from '#shared/bridge/creation'
import type { CallInput, EventPayload, HandlersOf } from '#shared/bridge/index'
import type { planCalls, planEvents, PlanStep, PlanStepState, PlanView } from '#shared/bridge/template'
import { createEmitter, type Subscribe } from '#shared/emitter'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import type { Clock } from '../core/clock'
import { failureOf } from '../core/failure-of'
import { defineModule, type EventsOf } from '../core/module'
import type { ShowNotification } from '../core/notification'
import { forgetGone } from '../fleet/forget-gone'
import type { Fleet } from '../fleet/index'
import { nextStep } from './next-step'
import { holdAfter, newPlan, type PlanBook, type StoredPlan } from './plan-book'
import { createSteps, failed, type StepDeps } from './run-step'

export interface MachinePlansDeps extends StepDeps {
  readonly book: PlanBook
  readonly clock: Pick<Clock, 'now'>
  readonly fleet: Pick<Fleet, 'view' | 'onChange' | 'onGone'>
  /** Reads the details of a machine. Fails as the client does. */
  machine(account: AccountId, id: string): Promise<unknown>
  creations(account: AccountId): readonly Creation[]
  readonly onCreations: Subscribe<{ readonly account: AccountId }>
  /** Whether a creation follows the machine, which the service may list late. */
  isFollowed(account: AccountId, machine: string): boolean
  /** Whether a creation of this draft waits for stock. */
  isArmed(request: string): boolean
  readonly showNotification: ShowNotification
}

const viewOf = ({ request, account, name, plan, machine, steps }: StoredPlan): PlanView => ({
  request,
  account,
  name,
  template: plan.template,
  machine,
  steps,
})

/** Runs the steps of plans as soon as they can run, each once. */
function createRuns(deps: MachinePlansDeps, isClosed: () => boolean) {
  const { book, clock, fleet, report } = deps
  /** Plans that the user retried, who may be asked. */
  const attended = new Set<string>()
  const runStep = createSteps(deps, book, (request) => attended.has(request))
  const running = new Map<string, Promise<void>>()
  /** Plans that changed during their run. */
  const changed = new Set<string>()

  const stateOf = ({ account, request }: StoredPlan): Creation['state'] | null =>
    deps.creations(account).find((creation) => creation.request === request)?.state ?? null

  /** Stores that the machine is ready, and whether the set-up holds the commands back. */
  async function keepResult(stored: StoredPlan): Promise<void> {
    const state = stateOf(stored)
    if (state === null) return
    const isReady = stored.isReady || state.kind === 'ready'
    const hold = holdAfter(stored.hold, state)
    if (isReady === stored.isReady && hold === stored.hold) return
    const isReleased = hold === null && stored.steps.some(({ state: { kind } }) => kind === 'held')
    if (isReleased) await book.setStep(stored.request, 'commands', { kind: 'waiting' }, { isReady, hold })
    else await book.update(stored.request, { isReady, hold })
  }
  /** Stores that the machine is known. */
  async function follow(stored: StoredPlan): Promise<void> {
    const { account, request, plan } = stored
    const state = stateOf(stored)
    if (state === null || !('machine' in state)) return
    const { machine } = state
    if (stored.machine !== null) return
    await book.update(request, { machine, createdAt: clock.now() })
    if (plan.isSshAllowed && plan.commands.trim() !== '')
      await deps.allowSsh(account, machine, { startup: true, jobs: true })
  }
  function notify({ account, name, machine }: StoredPlan): void {
    if (machine === null) return
    deps.showNotification(
      'creation',
      {
        title: translate('templates.notice.title', { machine: name }),
        body: translate('templates.notice.text'),
      },
      { page: 'machines', account, machine },
    )
  }
  async function settle(request: string, step: PlanStep, state: PlanStepState): Promise<void> {
    await book.setStep(request, step, state)
    const stored = book.find(request)
    if (!stored) return
    if (state.kind === 'failed' || state.kind === 'unknown') notify(stored)
    if (stored.steps.every((one) => one.state.kind === 'done')) await book.drop(request)
  }

  /** Runs the steps that can run now, one after another. */
  async function advance(request: string): Promise<void> {
    const known = book.find(request)
    if (known) await follow(known)
    for (;;) {
      const stored = book.find(request)
      if (isClosed() || !stored || stored.machine === null) return
      const { account, machine } = stored
      const facts = { creation: stateOf(stored), status: fleet.view(account, machine)?.status }
      const next = nextStep(stored, facts)
      if (!next) return
      if (next.what === 'fail') await settle(request, next.step, failed('not-ready'))
      else if (next.what !== 'run') await settle(request, next.step, { kind: 'held', why: next.what })
      else {
        try {
          await book.setStep(request, next.step, { kind: 'running' })
        } catch (error) {
          // Nothing is sent if the step can't be stored.
          await settle(request, next.step, failed('failure', { failure: failureOf(error, 'plans.save') }))
          continue
        }
        await settle(request, next.step, await runStep(next.step, stored, machine))
      }
    }
  }
  function begin(request: string): void {
    if (isClosed()) return
    const stored = book.find(request)
    // At once, as a step that runs may take long, and a restart ends the creation.
    if (stored) keepResult(stored).catch((error: unknown) => report('plans.save', error))
    if (running.has(request)) {
      changed.add(request)
      return
    }
    const run = advance(request)
      .catch((error: unknown) => report('plans.save', error))
      .finally(() => {
        running.delete(request)
        // Only this plan: several plans that begin each other's runs would never end.
        if (changed.delete(request)) begin(request)
      })
    running.set(request, run)
  }
  function check(account: AccountId): void {
    for (const plan of book.all()) if (plan.account === account) begin(plan.request)
  }

  return {
    stateOf,
    check,
    attend: (request: string): void => void attended.add(request),
    settled: async (): Promise<void> => void (await Promise.allSettled(running.values())),
  }
}

/**
 * Does the work of templates on machines once they exist: SSH settings, the armed end, firewall rules, volumes, and the commands
 * when SSH is ready. A step is stored before it runs, so that none runs twice.
 */
export function createMachinePlans(deps: MachinePlansDeps) {
  const { book, fleet, report } = deps
  const changes = createEmitter<EventPayload<'plans.changed'>>()
  let isClosed = false
  /** Plans of this run, which a start must not treat as left behind. */
  const ofThisRun = new Set<string>()
  const { stateOf, check, attend, settled } = createRuns(deps, () => isClosed)

  const list = (account: AccountId): PlanView[] =>
    book
      .all()
      .filter((stored) => stored.account === account && stored.machine !== null)
      .map(viewOf)
  async function prepare(order: CallInput<'plans.prepare'>): Promise<void> {
    const { account, request, name, plan, confirmedName } = order
    if (plan.isEndArmed && plan.end?.action === 'delete' && confirmedName !== name)
      throw new FailureError({ kind: 'invalid-input', field: 'name', reason: 'not-the-name' })
    // A second press of the button must not reset the plan of a machine.
    if ((book.find(request)?.machine ?? null) !== null) return
    ofThisRun.add(request)
    const prepared = newPlan(account, request, name, plan)
    await book.change((plans) => [
      ...plans.filter((stored) => stored.request !== request),
      ...(prepared.steps.length > 0 ? [prepared] : []),
    ])
  }
  const forget = (account: AccountId, ids: readonly string[]): Promise<void> =>
    book.change((plans) =>
      plans.filter(
        (plan) => plan.account !== account || plan.machine === null || !ids.includes(plan.machine),
      ),
    )

  /** Marks steps that an earlier run interrupted as unknown, and drops its plans whose creation was never sent. */
  async function resume(): Promise<void> {
    const earlier = book.all().filter(({ request }) => !ofThisRun.has(request))
    const interrupted = earlier.map(({ request }) => request)
    const unsent = earlier
      .filter((plan) => plan.machine === null && stateOf(plan) === null && !deps.isArmed(plan.request))
      .map(({ request }) => request)
    await book.change((plans) =>
      plans
        .filter(({ request }) => !unsent.includes(request))
        .map((plan) => ({
          ...plan,
          steps: plan.steps.map(({ step, state }) => ({
            step,
            state:
              state.kind === 'running' && interrupted.includes(plan.request)
                ? ({ kind: 'unknown' } as const)
                : state,
          })),
        })),
    )
    for (const request of interrupted) ofThisRun.add(request)
    for (const account of new Set(book.all().map((plan) => plan.account))) check(account)
  }

  const handlers: HandlersOf<typeof planCalls> = {
    'plans.list': async ({ account }) => {
      await book.ready()
      return list(account)
    },
    'plans.prepare': prepare,
    'plans.dismiss': ({ request }) => book.drop(request),
    'plans.retry': async ({ account, request }) => {
      const stored = book.find(request)
      if (!stored) return
      const steps = stored.steps.map(({ step, state }) => ({
        step,
        state: state.kind === 'failed' ? ({ kind: 'waiting' } as const) : state,
      }))
      // The user asks for it, so SSH is tried even if it did not answer before.
      const isReady =
        stored.isReady ||
        stored.steps.some(({ step, state }) => step === 'commands' && state.kind === 'failed')
      attend(request)
      await book.update(request, { steps, isReady })
      check(account)
    },
    'plans.runHeld': async ({ account, request }) => {
      const stored = book.find(request)
      if (!stored?.steps.some(({ state }) => state.kind === 'held')) return
      const steps = stored.steps.map(({ step, state }) => ({
        step,
        state: state.kind === 'held' ? ({ kind: 'waiting' } as const) : state,
      }))
      attend(request)
      await book.update(request, { steps, hold: 'accepted' })
      check(account)
    },
  }
  const events: EventsOf<typeof planEvents> = { 'plans.changed': changes.on }
  const begin = (): void => void resume().catch((error: unknown) => report('plans.save', error))
  const unsubscribe = [
    book.onLoad(begin),
    book.onChange((account) => changes.emit({ account, plans: list(account) })),
    deps.onCreations(({ account }) => check(account)),
    fleet.onChange(({ account }) => check(account)),
    forgetGone({
      fleet,
      onGone: fleet.onGone,
      remembered: (account) =>
        list(account)
          .flatMap(({ machine }) => machine ?? [])
          .filter((id) => !deps.isFollowed(account, id)),
      isListed: (account, id) => fleet.view(account, id) !== undefined,
      details: [deps.machine],
      forget,
      report: (error) => report('plans.forget', error),
    }),
  ]

  return defineModule({
    handlers,
    events,
    start: (): void => void book.ready().then(begin),
    forgetAccount: (account: AccountId): Promise<void> =>
      book.change((plans) => plans.filter((plan) => plan.account !== account)),
    async close(): Promise<void> {
      isClosed = true
      unsubscribe.forEach((stop) => stop())
      await settled()
    },
  })
}
