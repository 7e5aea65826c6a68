import { z } from 'zod'
import { Money } from '../money/money'
import { AccountId, OneAccount, OneMachine } from './account'
import { MachineOrder } from './creation'
import { call, variant } from './define'
import { EndAction, EndWhen } from './end-rule'
import { JobCommand } from './job'

/** Name that a client of the MCP server reports. Nothing proves it. */
export const AgentName = z.string().trim().min(1).max(100)
/** Clients that are remembered at most, and actions of each that were not refused. */
export const maxAgents = 50
export const maxAgentActions = 200
/** Characters of a command in the list of actions. */
export const maxAgentCommand = 2_000
/** Hours of its price with which a machine counts against the cap while it exists. */
export const capHours = 24

/**
 * Permissions of a coding agent. A new one only reads. `cap`: upper bound on the cost of 24 hours of all machines that it
 * created; null: it creates none. `create` without a cap creates nothing. `askAbove`: price per hour above which the user is
 * asked in the window for each machine; null: never. `run`: commands as jobs, and their logs.
 */
const Limit = Money.refine(({ millionths }) => millionths > 0)
  .nullable()
  .default(null)
export const AgentAccess = z.object({
  isBlocked: z.boolean().default(false),
  create: z.boolean().default(false),
  power: z.boolean().default(false),
  run: z.boolean().default(false),
  delete: z.boolean().default(false),
  cap: Limit,
  askAbove: Limit,
})
export type AgentAccess = z.infer<typeof AgentAccess>

/**
 * Why an order was refused. `no-cap`: no cap is set. `no-price`: the catalog has no price. `other-currency`: the price is not
 * in the currency of the cap. `would-lose`: the last look found work. `not-looked`: it could not read everything.
 * `no-consent`: the user does not allow jobs on the machine. `not-reached`: nothing was sent to it. `denied`: the user refused
 * it in the window; `not-answered`: the user was asked there, and did not answer in time; `asking`: another question of the agent
 * is open; `withdrawn`: the agent stopped waiting before anything was sent. `not-its-end`: the automatic end of the machine was
 * armed by the user, or by another agent. `template-commands`: the template has commands, and the agent may not run any.
 */
const refusals = [
  'blocked',
  'not-allowed',
  'no-cap',
  'above-cap',
  'no-price',
  'other-currency',
  'would-lose',
  'not-looked',
  'no-consent',
  'too-many-jobs',
  'not-reached',
  'denied',
  'not-answered',
  'asking',
  'withdrawn',
  'not-its-end',
  'template-commands',
] as const
export const AgentRefusal = z.enum(refusals)
export type AgentRefusal = z.infer<typeof AgentRefusal>

const AgentActionKind = z.enum(['create', 'start', 'stop', 'delete', 'set-end', 'cancel-end', 'run'])
/** `failed`: certainly nothing changed. `unknown`: sent, without an answer. */
const AgentResult = z.enum(['sending', 'done', 'unknown', 'failed', 'refused'])

/** An action of an agent. Times are epoch seconds. */
export const AgentAction = z.object({
  id: z.string(),
  at: z.number(),
  account: AccountId,
  kind: AgentActionKind,
  /** Id of the machine; null until a new one is known. */
  machine: z.string().nullable(),
  name: z.string(),
  /** Command of `run`, without values that look secret, cut to maxAgentCommand; null for others, and without permission. */
  command: z.string().nullable(),
  result: AgentResult,
  why: AgentRefusal.nullable(),
  /** Number of equal refusals in a row. */
  times: z.number().int(),
  /** Price of a created machine. */
  perHour: Money.nullable(),
  /** Request of the creation: it is known before the creation is sent. */
  creation: z.string().nullable(),
  /** When the created machine was deleted; null while it exists. */
  endedAt: z.number().nullable(),
})
export type AgentAction = z.infer<typeof AgentAction>

/** `counted`: amount that counts against the cap now. Actions: newest first. */
export const AgentView = z.object({
  name: AgentName,
  seenAt: z.number(),
  access: AgentAccess,
  counted: Money.nullable(),
  actions: z.array(AgentAction),
})
export type AgentView = z.infer<typeof AgentView>

const OneOrder = OneMachine.omit({ account: true }).shape
export const AgentOrder = z.discriminatedUnion('kind', [
  /**
   * `identityFile`: private key with which Connect opens the machine. The plan of a template is stored under the same request
   * before (plans.prepare).
   */
  variant('create', { request: z.uuid(), machine: MachineOrder, identityFile: z.string().nullable() }),
  variant('start', OneOrder),
  variant('stop', OneOrder),
  variant('delete', { ...OneOrder, name: z.string() }),
  variant('set-end', { ...OneOrder, name: z.string(), action: EndAction, when: EndWhen }),
  variant('cancel-end', OneOrder),
  variant('run', { ...OneOrder, command: JobCommand }),
])
export type AgentOrder = z.infer<typeof AgentOrder>

/**
 * `counted`: as in AgentView. `machine`: null if there is none yet. `job`: of a command. `not-started`: the machine did not start
 * the command; `reason` is its text.
 */
export const AgentAnswer = z.discriminatedUnion('kind', [
  variant('done', { machine: z.string().nullable(), job: z.string().optional() }),
  variant('not-started', { reason: z.string() }),
  variant('unknown', { machine: z.string().nullable() }),
  variant('refused', { why: AgentRefusal, cap: Money.nullable(), counted: Money.nullable() }),
])
export type AgentAnswer = z.infer<typeof AgentAnswer>

/** A creation above the agent's limit that waits for the user. `flavor`, `template`: names. */
export const AgentQuestion = z.object({
  id: z.string(),
  request: z.uuid(),
  agent: AgentName,
  account: AccountId,
  name: z.string(),
  flavor: z.string(),
  template: z.string().nullable(),
  perHour: Money,
})
export type AgentQuestion = z.infer<typeof AgentQuestion>

const OneAgent = z.object({ agent: AgentName })

export const agentCalls = {
  'agents.list': call(z.object({}), z.array(AgentView)),
  /** Fails with invalid-input (agent), disk-full and local-fault. */
  'agents.allow': call(OneAgent.extend({ access: AgentAccess }), z.void()),
  /** Forgets an agent with its actions. If it connects again, it only reads. Fails with local-fault. */
  'agents.forget': call(OneAgent, z.void()),
  /** An agent connects or reads. Returns its permissions. */
  'agents.enter': call(OneAgent, AgentAccess),
  /**
   * Carries out an order of an agent, at most once, if its permissions and its cap allow it. Fails as the calls of the window
   * do.
   */
  'agents.act': call(OneAccount.extend({ ...OneAgent.shape, order: AgentOrder }), AgentAnswer),
  /** The agent of a creation no longer waits: it is not sent unless the user has allowed it. Its question ends. */
  'agents.withdraw': call(z.object({ request: z.uuid() }), z.void()),
  'agents.questions': call(z.object({}), z.array(AgentQuestion)),
  /** Fails with invalid-input (id: unknown) if the question has ended. */
  'agents.answer': call(z.object({ id: z.string(), isAllowed: z.boolean() }), z.void()),
} as const

export const agentEvents = {
  'agents.changed': z.object({ agents: z.array(AgentView) }),
  'agents.asked': z.array(AgentQuestion),
} as const
