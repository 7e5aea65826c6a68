import { z } from 'zod'
import {
  AgentAccess,
  AgentAction,
  type AgentView,
  AgentName,
  maxAgentActions,
  maxAgents,
} from '#shared/bridge/agent'
import type { Clock } from '../core/clock'
import type { Sections } from '../store/settings'
import { countedCost, isCounted } from './cap'

/** Seconds after which the time of the last visit is written again. */
const visitSeconds = 60

/** A remembered agent. Actions: oldest first. */
const Agent = z.object({
  name: AgentName,
  seenAt: z.number(),
  access: AgentAccess,
  actions: z.array(AgentAction),
})
export type Agent = z.infer<typeof Agent>
const AgentDocument = z.object({ agents: z.array(Agent).default([]) })

/** Refused actions of an agent that are kept. They never push out others. */
const maxRefusals = 50

const isRefused = ({ result }: AgentAction): boolean => result === 'refused'
/** An action that is being sent may still be refused, so it pushes nothing out. */
const isSettled = ({ result }: AgentAction): boolean => result !== 'refused' && result !== 'sending'

/** Drops the oldest actions beyond the limits, but none that counts against the cap. */
function withoutOldest(actions: readonly AgentAction[], now: number): AgentAction[] {
  let refusals = actions.filter(isRefused).length - maxRefusals
  let settled = actions.filter(isSettled).length - maxAgentActions
  return actions.filter((action) => {
    if (isRefused(action)) {
      refusals -= 1
      return refusals < 0
    }
    if (settled <= 0 || !isSettled(action) || isCounted(action, now)) return true
    settled -= 1
    return false
  })
}

const isSameRefusal = (one: AgentAction, other: AgentAction): boolean =>
  one.result === 'refused' &&
  other.result === 'refused' &&
  one.kind === other.kind &&
  one.why === other.why &&
  one.account === other.account &&
  one.machine === other.machine

/** Counts equal refusals in a row as one, whatever their commands. */
function withRefusalsCounted(actions: readonly AgentAction[]): AgentAction[] {
  const counted: AgentAction[] = []
  for (const action of actions) {
    const last = counted.at(-1)
    if (last && isSameRefusal(last, action))
      counted.splice(-1, 1, { ...action, times: last.times + action.times })
    else counted.push(action)
  }
  return counted
}

/** Keeps the agents with their permissions and actions as a private document. */
export function openAgentBook(documents: Sections, { now }: Pick<Clock, 'now'>, changed: () => void) {
  const section = documents.section('agents', AgentDocument)
  section.onLoad(changed)
  const all = (): readonly Agent[] => section.read().agents
  const find = (name: string): Agent | undefined => all().find((agent) => agent.name === name)

  const kept = (actions: readonly AgentAction[]): AgentAction[] =>
    withoutOldest(withRefusalsCounted(actions), now())

  async function change(update: (agents: readonly Agent[]) => readonly Agent[]): Promise<void> {
    const written = section.change(({ agents }) => ({ agents: [...update(agents)] }))
    changed()
    await written
  }
  const changeOne = (name: string, update: (agent: Agent) => Agent): Promise<void> =>
    change((agents) => agents.map((agent) => (agent.name === name ? update(agent) : agent)))

  function view({ name, seenAt, access, actions }: Agent): AgentView {
    return {
      name,
      seenAt,
      access,
      counted: access.cap && countedCost(actions, access.cap.currency, now()),
      actions: actions.toReversed(),
    }
  }

  return {
    ready: section.ready,
    all,
    find,
    change,
    views: (): AgentView[] => all().map(view),
    setAccess: (name: string, access: AgentAccess): Promise<void> =>
      changeOne(name, (agent) => ({ ...agent, access })),
    drop: (name: string): Promise<void> => change((agents) => agents.filter((agent) => agent.name !== name)),
    /** Remembers a visit. An agent beyond the limit is not remembered, and only reads. */
    async visit(name: string): Promise<void> {
      const at = Math.floor(now())
      const known = find(name)
      if (known && at - known.seenAt < visitSeconds) return
      if (!known && all().length >= maxAgents) return
      await change((agents) =>
        agents.some((agent) => agent.name === name)
          ? agents.map((agent) => (agent.name === name ? { ...agent, seenAt: at } : agent))
          : [...agents, { name, seenAt: at, access: AgentAccess.parse({}), actions: [] }],
      )
    },
    /** Adds an action at once; resolves when it is stored. */
    add: (name: string, action: AgentAction): Promise<void> =>
      changeOne(name, (agent) => ({ ...agent, actions: kept([...agent.actions, action]) })),
    /** Changes the actions for which `update` returns another value. */
    async changeActions(update: (action: AgentAction) => AgentAction): Promise<void> {
      if (all().every(({ actions }) => actions.every((action) => update(action) === action))) return
      await change((agents) =>
        agents.map((agent) => ({ ...agent, actions: kept(agent.actions.map(update)) })),
      )
    },
  }
}
export type AgentBook = ReturnType<typeof openAgentBook>
