import type { AccountId } from '#shared/bridge/account'
import type { agentCalls, agentEvents, AgentQuestion } from '#shared/bridge/agent'
import type { CallInput, EventPayload, HandlersOf } from '#shared/bridge/index'
import { createEmitter, type Subscribe } from '#shared/emitter'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import { formatRate } from '#shared/money/format-money'
import type { Clock } from '../core/clock'
import { defineModule, type EventsOf } from '../core/module'
import type { ShowNotification } from '../core/notification'
import { oneLine } from '../core/one-line'
import { createQuestions } from '../core/questions'
import { forgetGone, type ForgetGoneDeps } from '../fleet/forget-gone'
import type { Sections } from '../store/settings'
import { openAgentBook } from './book'
import { mayExist } from './cap'
import { type AgentOrdersDeps, createAgentOrders, machineOf } from './orders'

/** Time to answer a question, in seconds. Agents wait at least as long if Wheelhouse reports progress. */
const questionTimeoutSeconds = 120

export interface AgentsDeps extends AgentOrdersDeps {
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly showNotification: ShowNotification
  readonly documents: Sections
  readonly fleet: AgentOrdersDeps['fleet'] & ForgetGoneDeps['fleet']
  readonly onGone: ForgetGoneDeps['onGone']
  readonly onCreations: Subscribe<EventPayload<'creation.changed'>>
  /** Reads the details of a machine. Fails as the client does. */
  machine(account: AccountId, id: string): Promise<unknown>
}

/** Requests that are withdrawn before their order arrives, at most. */
const maxEarlyWithdrawals = 100
const neverAborted = new AbortController().signal

/** Signals of creations that abort when their agent no longer waits. A withdrawal may arrive before its order. */
function createWithdrawals() {
  const controllers = new Map<string, AbortController>()
  const early = new Set<string>()
  return {
    signalOf(request: string): AbortSignal {
      const controller = new AbortController()
      if (early.delete(request)) controller.abort()
      controllers.set(request, controller)
      return controller.signal
    },
    end: (request: string): void => void controllers.delete(request),
    withdraw(request: string): void {
      const controller = controllers.get(request)
      if (controller) return controller.abort()
      early.add(request)
      const [oldest] = early
      if (early.size > maxEarlyWithdrawals && oldest !== undefined) early.delete(oldest)
    },
  }
}

/**
 * Carries out orders of coding agents within the permissions that the user set, and remembers what each did. Permissions
 * and caps hold here, in the main process: the MCP server of the command line only passes orders on.
 */
export function createAgents(deps: AgentsDeps) {
  const { clock, fleet, report } = deps
  const changes = createEmitter<EventPayload<'agents.changed'>>()
  const book = openAgentBook(deps.documents, clock, () => changes.emit({ agents: book.views() }))

  /** Marks machines as deleted, so that they count with their own time only. */
  const ended = (account: AccountId, machines: readonly string[]): Promise<void> =>
    book
      .changeActions((action) =>
        action.kind === 'create' &&
        action.account === account &&
        action.endedAt === null &&
        action.machine !== null &&
        machines.includes(action.machine)
          ? { ...action, endedAt: Math.floor(clock.now()) }
          : action,
      )
      .catch((error: unknown) => report('agents.save', error))

  const questions = createQuestions<AgentQuestion, boolean>({
    clock,
    timeoutSeconds: questionTimeoutSeconds,
    onQuestion({ agent, account, name, flavor, perHour }) {
      const words = { agent, machine: oneLine(name), flavor: oneLine(flavor), price: formatRate(perHour) }
      const [title, body] = [
        translate('agents.question.title', words),
        translate('agents.question.notice', words),
      ]
      deps.showNotification('question', { title, body }, { page: 'machines', account })
    },
  })
  const { act, accessOf } = createAgentOrders(deps, book, ended, async (question, gone) =>
    questions.list().some(({ agent }) => agent === question.agent)
      ? 'asking'
      : questions.ask((id) => ({ id, ...question }), gone),
  )
  const withdrawals = createWithdrawals()
  async function carryOut(input: CallInput<'agents.act'>) {
    if (input.order.kind !== 'create') return act(input, neverAborted)
    const { request } = input.order
    try {
      return await act(input, withdrawals.signalOf(request))
    } finally {
      withdrawals.end(request)
    }
  }

  /** Learns the machines of creations whose answer was lost, also by a crash. */
  const identify = ({ creations }: EventPayload<'creation.changed'>): Promise<void> =>
    book
      .changeActions((action) => {
        const isOpen = action.result === 'sending' || action.result === 'unknown'
        if (!isOpen || action.creation === null || action.machine !== null) return action
        const creation = creations.find(({ request }) => request === action.creation)
        const machine = creation ? machineOf(creation) : null
        return machine === null ? action : { ...action, machine, result: 'done' }
      })
      .catch((error: unknown) => report('agents.save', error))

  const unsubscribe = [
    deps.onCreations((change) => void identify(change)),
    forgetGone({
      fleet,
      onGone: deps.onGone,
      remembered: (account) =>
        book
          .all()
          .flatMap(({ actions }) => actions)
          .filter((action) => action.account === account && mayExist(action, clock.now()))
          .flatMap(({ machine }) => machine ?? []),
      isListed: (account, id) => fleet.view(account, id) !== undefined,
      details: [deps.machine],
      forget: ended,
      report: (error) => report('agents.save', error),
    }),
  ]

  const handlers: HandlersOf<typeof agentCalls> = {
    'agents.list': async () => {
      await book.ready()
      return book.views()
    },
    'agents.allow': async ({ agent, access }) => {
      if (!book.find(agent))
        throw new FailureError({ kind: 'invalid-input', field: 'agent', reason: 'unknown' })
      await book.setAccess(agent, access)
      if (access.isBlocked || !access.create) questions.drop((question) => question.agent === agent)
    },
    'agents.forget': async ({ agent }) => {
      await book.drop(agent)
      questions.drop((question) => question.agent === agent)
    },
    'agents.enter': async ({ agent }) => {
      await book.ready()
      await book.visit(agent)
      return accessOf(agent)
    },
    'agents.act': carryOut,
    'agents.withdraw': ({ request }) => withdrawals.withdraw(request),
    'agents.questions': questions.list,
    'agents.answer': ({ id, isAllowed }) => questions.settle(id, isAllowed),
  }
  const events: EventsOf<typeof agentEvents> = {
    'agents.changed': changes.on,
    'agents.asked': questions.onChange,
  }

  return defineModule({
    handlers,
    events,
    forgetAccount: async (account: AccountId): Promise<void> => {
      questions.drop((question) => question.account === account)
      // After the refusals of these questions, which are stored as actions.
      await new Promise(setImmediate)
      await book.change((agents) =>
        agents.map((agent) => ({
          ...agent,
          actions: agent.actions.filter((action) => action.account !== account),
        })),
      )
    },
    close(): void {
      questions.close()
      unsubscribe.forEach((stop) => stop())
    },
  })
}
