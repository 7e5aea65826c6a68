import { randomUUID } from 'node:crypto'
import type { AccountId } from '#shared/bridge/account'
import {
  AgentAccess,
  type AgentAction,
  type AgentAnswer,
  type AgentOrder,
  type AgentQuestion,
  type AgentRefusal,
  maxAgentCommand,
} from '#shared/bridge/agent'
import type { FlavorView } from '#shared/bridge/catalog'
import type { Creation } from '#shared/bridge/creation'
import { endNoticeSeconds } from '#shared/bridge/end-rule'
import type { CallInput } from '#shared/bridge/index'
import { findsLoss, isComplete, type LookOutcome } from '#shared/bridge/last-look'
import type { ActionOutcome } from '#shared/bridge/machine-action'
import { FailureError } from '#shared/failure'
import { changedNothing } from '../core/at-most-once'
import type { Clock } from '../core/clock'
import type { ReportError } from '../core/report-error'
import { maskedCommand } from '../core/masked-command'
import { cut } from '../core/one-line'
import { startCommand, type StartOutcome } from '../core/start-command'
import { NotItsRule } from '../end-rules/orders'
import type { Fleet } from '../fleet/index'
import type { MachineActions } from '../fleet/machine-actions'
import type { Jobs } from '../jobs/index'
import type { EndRules } from '../end-rules/index'
import type { LastLooks } from '../last-look/index'
import type { PlanBook, StoredPlan } from '../templates/plan-book'
import type { AgentBook } from './book'
import { capRefusal, countedCost, mayExist, needsQuestion } from './cap'

export interface AgentOrdersDeps {
  readonly clock: Pick<Clock, 'now'>
  /** Returns the flavors with their prices. Fails as the client does. */
  flavors(account: AccountId): Promise<readonly FlavorView[]>
  /** Sends a creation, once. Fails only if nothing was created. If `beforeSending` throws, nothing is sent. */
  create(order: CallInput<'machine.create'>, beforeSending: () => void): Promise<Creation>
  /** Work of templates after creations, by the request of the creation. */
  readonly plans: Pick<PlanBook, 'find' | 'update' | 'drop'>
  readonly fleet: Pick<Fleet, 'view'>
  readonly actions: Pick<MachineActions, 'power' | 'remove'>
  readonly ends: Pick<EndRules, 'armFor' | 'cancelFor'>
  readonly jobs: Pick<Jobs, 'watch'>
  look(order: Parameters<LastLooks['look']>[0]): Promise<LookOutcome>
  readonly report: ReportError
}

/** Asks the user in the window until `gone`. Null: no answer in time; `asking`: another question of the agent is open. */
type AskUser = (question: Omit<AgentQuestion, 'id'>, gone: AbortSignal) => Promise<boolean | null | 'asking'>

type RunOrder = Extract<AgentOrder, { readonly kind: 'run' }>
type CreateOrder = Extract<AgentOrder, { readonly kind: 'create' }>
type ActionOrder = Exclude<AgentOrder, { readonly kind: 'create' | 'run' }>
type Permission = 'create' | 'power' | 'run' | 'delete'

/** Returns the permission that an order needs. */
function permissionOf(order: AgentOrder): Permission {
  if (order.kind === 'create' || order.kind === 'run') return order.kind
  const isDeletion = order.kind === 'delete' || (order.kind === 'set-end' && order.action === 'delete')
  return isDeletion ? 'delete' : 'power'
}

/** Returns why an agent may not do something; null if it may. */
function permissionRefusal(access: AgentAccess, permission: Permission): AgentRefusal | null {
  if (access.isBlocked) return 'blocked'
  return access[permission] ? null : 'not-allowed'
}

export const machineOf = ({ state }: Creation): string | null => ('machine' in state ? state.machine : null)

/**
 * Returns how an order ends a machine without the notice of automatic ends, so that a look comes first; null if it does
 * not. Pure.
 */
function endedSoon(order: ActionOrder, now: number): 'stop' | 'delete' | null {
  if (order.kind === 'stop' || order.kind === 'delete') return order.kind
  // An automatic deletion has a look of its own, which holds it.
  if (order.kind !== 'set-end' || order.action !== 'stop' || order.when.kind !== 'at') return null
  return order.when.at - now < endNoticeSeconds ? 'stop' : null
}

/** Returns why the look forbids an order; null if it does not. The agent's own machines are not looked at. */
async function lookRefusal(
  { look, clock }: Pick<AgentOrdersDeps, 'look' | 'clock'>,
  account: AccountId,
  order: ActionOrder,
  isOwn: boolean,
): Promise<AgentRefusal | null> {
  const before = endedSoon(order, clock.now())
  if (before === null || isOwn) return null
  const outcome = await look({ account, machine: order.machine, before, mayAsk: false })
  if (outcome.kind === 'looked' && findsLoss(outcome.look)) return 'would-lose'
  const isWhole = outcome.kind === 'looked' && isComplete(outcome.look)
  return before === 'delete' && !isWhole ? 'not-looked' : null
}

/** Fails as the calls of the window do, and with NotItsRule. */
async function send(
  { actions, ends }: Pick<AgentOrdersDeps, 'actions' | 'ends'>,
  agent: string,
  account: AccountId,
  order: ActionOrder,
): Promise<ActionOutcome> {
  const { machine } = order
  switch (order.kind) {
    case 'start':
    case 'stop':
      return actions.power(account, machine, order.kind)
    case 'delete':
      return actions.remove(account, machine, order.name)
    case 'set-end':
      await ends.armFor(agent, { account, machine, name: order.name, action: order.action, when: order.when })
      return { kind: 'done' }
    case 'cancel-end':
      await ends.cancelFor(agent, account, machine)
      return { kind: 'done' }
  }
}

/** The answer to the start of a command, and its result for the list of actions. */
interface CommandStart {
  readonly answer: AgentAnswer
  readonly result: AgentAction['result']
}

function startOf(machine: string, outcome: StartOutcome): CommandStart {
  const refused = (why: AgentRefusal) =>
    ({ answer: { kind: 'refused', why, cap: null, counted: null }, result: 'refused' }) as const
  switch (outcome.kind) {
    case 'watching':
      return { answer: { kind: 'done', machine, job: outcome.job.id }, result: 'done' }
    case 'failed':
      return { answer: { kind: 'not-started', reason: outcome.reason }, result: 'failed' }
    case 'refused':
      return refused(outcome.why === 'too-many' ? 'too-many-jobs' : 'no-consent')
    case 'stopped':
      return refused('not-reached')
    case 'unknown':
      return { answer: { kind: 'unknown', machine }, result: 'unknown' }
  }
}

/** Returns why the user's answer forbids a creation; null if it does not. Pure. */
function denialOf(answer: Awaited<ReturnType<AskUser>>): AgentRefusal | null {
  if (answer === 'asking') return 'asking'
  if (answer === null) return 'not-answered'
  return answer ? null : 'denied'
}

/** Returns the work of a template after a creation. An agent arms no end and allows no SSH for it. Pure. */
const allowedPlan = ({ plan }: StoredPlan): StoredPlan['plan'] => ({
  ...plan,
  end: null,
  isEndArmed: false,
  isSshAllowed: false,
})

/** Starts a command as a job, which the user sees and can end. Never fails. */
async function runCommand(
  { jobs, report }: Pick<AgentOrdersDeps, 'jobs' | 'report'>,
  account: AccountId,
  { machine, command }: RunOrder,
): Promise<CommandStart> {
  const target = { kind: 'command', command } as const
  const outcome = await startCommand(
    () => jobs.watch({ account, machine, target }, 'unattended'),
    (error) => report('agents.run', error),
  )
  return startOf(machine, outcome)
}

/** A creation was refused after it was stored, just before it would have been sent. */
class Refused extends FailureError {
  constructor(readonly why: AgentRefusal) {
    super({ kind: 'cancelled' }, true)
  }
}

/** Characters of a command that are read for its entry: masking takes long for hostile ones. */
const maxReadCommand = 2 * maxAgentCommand

/** Returns the whole words at the start of a command, as the shell reads them, so that no part of a secret stays. Pure. */
function wholeWords(command: string): string {
  if (command.length <= maxReadCommand) return command
  let end = 0
  let quote = ''
  for (let at = 0; at <= maxReadCommand; at += 1) {
    const char = command.charAt(at)
    if (char === '\\' && quote !== "'") at += 1
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (/\s/.test(char)) end = at
  }
  return `${command.slice(0, end)} …`.trimStart()
}

const shownCommand = (command: string): string => cut(maskedCommand(wholeWords(command)), maxAgentCommand)

/** Returns the entry of an order that is about to be sent, at `at` in epoch seconds. It has no command yet. */
function entryOf(
  { fleet }: Pick<AgentOrdersDeps, 'fleet'>,
  account: AccountId,
  order: AgentOrder,
  at: number,
): AgentAction {
  const machine = order.kind === 'create' ? null : order.machine
  const name = order.kind === 'create' ? order.machine.name : fleet.view(account, order.machine)?.name
  return {
    id: randomUUID(),
    at: Math.floor(at),
    account,
    kind: order.kind,
    machine,
    name: name ?? machine ?? '',
    command: null,
    result: 'sending',
    why: null,
    times: 1,
    perHour: null,
    creation: order.kind === 'create' ? order.request : null,
    endedAt: null,
  }
}

const flavorOf = async (
  { flavors }: Pick<AgentOrdersDeps, 'flavors'>,
  account: AccountId,
  id: string,
): Promise<FlavorView | undefined> => (await flavors(account)).find((flavor) => flavor.id === id)

/** Permissions and actions of agents, and how orders change them. */
function createRecords(
  { clock, plans, report }: Pick<AgentOrdersDeps, 'clock' | 'plans' | 'report'>,
  book: AgentBook,
) {
  const actionsOf = (name: string): readonly AgentAction[] => book.find(name)?.actions ?? []
  const accessOf = (name: string): AgentAccess => book.find(name)?.access ?? AgentAccess.parse({})
  const isOwn = (agent: string, account: AccountId, machine: string): boolean =>
    actionsOf(agent).some(
      (action) => action.account === account && action.machine === machine && mayExist(action, clock.now()),
    )

  const settle = (id: string, changed: Partial<AgentAction>): Promise<void> =>
    book
      .changeActions((action) => (action.id === id ? { ...action, ...changed } : action))
      .catch((error: unknown) => report('agents.save', error))

  function refusalOf(agent: string, why: AgentRefusal): AgentAnswer {
    const { cap } = accessOf(agent)
    const counted = cap && countedCost(actionsOf(agent), cap.currency, clock.now())
    return { kind: 'refused', why, cap, counted }
  }
  /** Drops the plan of a creation that was not sent, unless another order sent it. Never fails. */
  async function dropPlan(request: string): Promise<void> {
    const isSent = book
      .all()
      .flatMap(({ actions }) => actions)
      .some(({ creation, result }) => creation === request && result !== 'refused' && result !== 'failed')
    if (isSent || plans.find(request)?.machine !== null) return
    await plans.drop(request).catch((error: unknown) => report('agents.save', error))
  }
  async function refuse(agent: string, entry: AgentAction, why: AgentRefusal): Promise<AgentAnswer> {
    if (entry.creation !== null) await dropPlan(entry.creation)
    // A list that cannot be written must not turn a refusal into another failure.
    await book
      .add(agent, { ...entry, result: 'refused', why })
      .catch((error: unknown) => report('agents.save', error))
    return refusalOf(agent, why)
  }
  return { actionsOf, accessOf, isOwn, settle, refusalOf, refuse, dropPlan }
}

/** Sends creations that are allowed. `beforeSending` throws Refused if one no longer is. Fails only if nothing was created. */
function createSending(
  deps: Pick<AgentOrdersDeps, 'create' | 'plans'>,
  book: AgentBook,
  { settle, refusalOf, dropPlan }: ReturnType<typeof createRecords>,
) {
  return async function sendCreation(
    agent: string,
    account: AccountId,
    { request, machine, identityFile }: CreateOrder,
    entry: AgentAction,
    beforeSending: () => void,
  ): Promise<AgentAnswer> {
    let isSent = false
    try {
      // Stored first: a machine that is not counted would be above the cap after a crash.
      await book.add(agent, entry)
      const prepared = deps.plans.find(request)
      if (prepared) await deps.plans.update(request, { plan: allowedPlan(prepared) })
      const order = { request, account, again: [], identityFile, machine }
      const creation = await deps.create(order, () => {
        beforeSending()
        isSent = true
      })
      const id = machineOf(creation)
      await settle(entry.id, { machine: id, result: id === null ? 'unknown' : 'done' })
      return { kind: id === null ? 'unknown' : 'done', machine: id }
    } catch (error) {
      const why = error instanceof Refused ? error.why : null
      await settle(entry.id, { result: why ? 'refused' : 'failed', why })
      if (!isSent || changedNothing(error)) await dropPlan(request)
      if (why) return refusalOf(agent, why)
      throw error
    }
  }
}

/**
 * Carries out orders, each at most once, within the permissions and the cap. `ended`: machines were deleted. `gone` of an order
 * aborts when its agent no longer waits.
 */
export function createAgentOrders(
  deps: AgentOrdersDeps,
  book: AgentBook,
  ended: (account: AccountId, machines: readonly string[]) => Promise<void>,
  askUser: AskUser,
) {
  const { clock } = deps
  const records = createRecords(deps, book)
  const { actionsOf, accessOf, isOwn, settle, refusalOf, refuse, dropPlan } = records
  const sendCreation = createSending(deps, book, records)

  async function create(
    agent: string,
    account: AccountId,
    order: CreateOrder,
    asked: AgentAction,
    gone: AbortSignal,
  ): Promise<AgentAnswer> {
    const { request, machine } = order
    const prepared = deps.plans.find(request)
    const readFlavor = async (): Promise<FlavorView | undefined> => {
      try {
        return await flavorOf(deps, account, machine.flavor_id)
      } catch (error) {
        await dropPlan(request)
        throw error
      }
    }
    let flavor = await readFlavor()
    let allowed: number | null = null
    const refusal = (): AgentRefusal | null => {
      const access = accessOf(agent)
      const missing = permissionRefusal(access, 'create')
      if (missing) return missing
      if (prepared && prepared.plan.commands.trim() !== '' && !access.run) return 'template-commands'
      const others = actionsOf(agent).filter(({ id }) => id !== asked.id)
      return capRefusal(access, others, flavor?.price ?? null, clock.now())
    }
    const sendingRefusal = (): AgentRefusal | null =>
      gone.aborted && allowed === null ? 'withdrawn' : refusal()
    // The price may change while the user decides.
    while (flavor?.price && needsQuestion(accessOf(agent), flavor.price)) {
      const { name, price } = flavor
      if (price.millionths === allowed || refusal()) break
      const template = prepared?.plan.template ?? null
      const question = { request, agent, account, name: machine.name, flavor: name, template, perHour: price }
      const denial = denialOf(await askUser(question, gone))
      if (denial) return refuse(agent, asked, gone.aborted ? 'withdrawn' : denial)
      allowed = price.millionths
      flavor = await readFlavor()
    }
    // From here to `add` without a pause: parallel orders see each other's machines.
    const why = sendingRefusal()
    if (why) return refuse(agent, asked, why)
    const entry = { ...asked, at: Math.floor(clock.now()), perHour: flavor?.price ?? null }
    // A creation may wait long for others in its account.
    return sendCreation(agent, account, order, entry, () => {
      const price = flavor?.price
      const isUnasked = price && price.millionths !== allowed && needsQuestion(accessOf(agent), price)
      const late = sendingRefusal() ?? (isUnasked ? 'not-answered' : null)
      if (late) throw new Refused(late)
    })
  }

  async function change(
    agent: string,
    account: AccountId,
    order: ActionOrder,
    entry: AgentAction,
  ): Promise<AgentAnswer> {
    const why =
      (await lookRefusal(deps, account, order, isOwn(agent, account, order.machine))) ??
      permissionRefusal(accessOf(agent), permissionOf(order))
    if (why) return refuse(agent, entry, why)
    await book.add(agent, entry)
    try {
      const { kind } = await send(deps, agent, account, order)
      await settle(entry.id, { result: kind })
      if (order.kind === 'delete' && kind === 'done') await ended(account, [order.machine])
      return { kind, machine: order.machine }
    } catch (error) {
      if (error instanceof NotItsRule) {
        await settle(entry.id, { result: 'refused', why: 'not-its-end' })
        return refusalOf(agent, 'not-its-end')
      }
      await settle(entry.id, { result: changedNothing(error) ? 'failed' : 'unknown' })
      throw error
    }
  }

  async function run(
    agent: string,
    account: AccountId,
    order: RunOrder,
    entry: AgentAction,
  ): Promise<AgentAnswer> {
    await book.add(agent, { ...entry, command: shownCommand(order.command) })
    const { answer, result } = await runCommand(deps, account, order)
    await settle(entry.id, { result, why: answer.kind === 'refused' ? answer.why : null })
    return answer
  }

  async function act(
    { agent, account, order }: CallInput<'agents.act'>,
    gone: AbortSignal,
  ): Promise<AgentAnswer> {
    await book.ready()
    await book.visit(agent)
    const entry = entryOf(deps, account, order, clock.now())
    const why = permissionRefusal(accessOf(agent), permissionOf(order))
    if (why) return refuse(agent, entry, why)
    switch (order.kind) {
      case 'create':
        return create(agent, account, order, entry, gone)
      case 'run':
        return run(agent, account, order, entry)
      default:
        return change(agent, account, order, entry)
    }
  }
  return { act, accessOf }
}
