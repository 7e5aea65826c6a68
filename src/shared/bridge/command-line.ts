import { z } from 'zod'
import { accountCalls } from './account'
import { agentCalls } from './agent'
import { alertCalls } from './alert'
import { appCalls } from './app'
import { balanceCalls } from './balance'
import { catalogCalls } from './catalog'
import { costCalls } from './cost'
import { creationCalls } from './creation'
import { endRuleCalls } from './end-rule'
import { fleetCalls } from './fleet'
import { gpuCalls } from './gpu'
import { jobCalls } from './job'
import { lastLookCalls } from './last-look'
import { machineActionCalls } from './machine-action'
import { secretCalls } from './secret'
import { sshSessionCalls } from './ssh'
import { planCalls, templateCalls } from './template'
import { wasteCalls } from './waste'

/**
 * Calls of the bridge that the command line may make. No answer contains a secret, except a secret that the user
 * allows in the window for `secret.ask`. Every answer is plain JSON.
 * `machine.create`, `machine.power` and `machine.delete` cost or end something: the command line confirms them as the window does.
 */
export const commandLineCalls = {
  'app.info': appCalls['app.info'],
  'app.open': appCalls['app.open'],
  'accounts.list': accountCalls['accounts.list'],
  'agents.act': agentCalls['agents.act'],
  'agents.enter': agentCalls['agents.enter'],
  'agents.withdraw': agentCalls['agents.withdraw'],
  'alerts.limits': alertCalls['alerts.limits'],
  'alerts.setLimits': alertCalls['alerts.setLimits'],
  'balance.read': balanceCalls['balance.read'],
  'catalog.flavors': catalogCalls['catalog.flavors'],
  'catalog.images': catalogCalls['catalog.images'],
  'cost.active': costCalls['cost.active'],
  'cost.spending': costCalls['cost.spending'],
  'creation.keys': creationCalls['creation.keys'],
  'creation.list': creationCalls['creation.list'],
  'endRules.arm': endRuleCalls['endRules.arm'],
  'endRules.cancel': endRuleCalls['endRules.cancel'],
  'endRules.list': endRuleCalls['endRules.list'],
  'fleet.refresh': fleetCalls['fleet.refresh'],
  'fleet.snapshot': fleetCalls['fleet.snapshot'],
  'gpu.state': gpuCalls['gpu.state'],
  'jobs.list': jobCalls['jobs.list'],
  'jobs.log': jobCalls['jobs.log'],
  'lastLook.look': lastLookCalls['lastLook.look'],
  'machine.create': creationCalls['machine.create'],
  'machine.delete': machineActionCalls['machine.delete'],
  'machine.power': machineActionCalls['machine.power'],
  'plans.prepare': planCalls['plans.prepare'],
  'secret.ask': secretCalls['secret.ask'],
  'ssh.command': sshSessionCalls['ssh.command'],
  'templates.list': templateCalls['templates.list'],
  'waste.list': wasteCalls['waste.list'],
} as const

export type CommandLineCall = keyof typeof commandLineCalls
export type CommandInput<Name extends CommandLineCall> = z.infer<(typeof commandLineCalls)[Name]['input']>
export type CommandOutput<Name extends CommandLineCall> = z.infer<(typeof commandLineCalls)[Name]['output']>

/** `commandLineCalls`, typed so that a row looked up by a generic name keeps its types together. */
export const commandLineRows: {
  readonly [Name in CommandLineCall]: {
    readonly input: z.ZodType<CommandInput<Name>>
    readonly output: z.ZodType<CommandOutput<Name>>
  }
} = commandLineCalls

export const isCommandLineCall = (name: string): name is CommandLineCall =>
  Object.hasOwn(commandLineCalls, name)

/** One request of the command line without its token. The call's own schema validates `input`. */
export const CommandRequest = z.object({ call: z.string(), input: z.unknown() })

/**
 * A command that the application itself runs, for terminals that show `columns` characters. `environment`: the variables
 * that change the output.
 */
export const CommandRun = z.object({
  run: z.array(z.string()),
  columns: z.number().nullable(),
  hasColors: z.boolean(),
  environment: z.record(z.string(), z.string().optional()),
})
export type CommandRun = z.infer<typeof CommandRun>

/** Upper bound on a request in bytes. */
export const maxCommandBytes = 256 * 1024

export const CommandAddress = z.object({
  /** Changes when older command lines no longer understand the answers. */
  version: z.literal(1),
  path: z.string(),
  token: z.string(),
})
export type CommandAddress = z.infer<typeof CommandAddress>
