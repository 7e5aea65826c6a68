import { z } from 'zod'
import { Failure } from '../failure'
import { Money } from '../money/money'
import { NewFirewallRule } from '../service/firewall-rule'
import { OneAccount } from './account'
import { call, variant } from './define'
import { EndAction, maxEndSeconds, minIdleSeconds } from './end-rule'

/** Upper bounds: templates, characters of a script and of commands, entries of a list, and bytes of an exported file. */
export const templateLimits = {
  templates: 200,
  name: 80,
  script: 65_536,
  commands: 16_384,
  entries: 50,
  file: 1_048_576,
} as const

const Name = z.string().max(300)
const Seconds = z.number().int().max(maxEndSeconds)

/** Automatic end of a machine. `after`: seconds since its creation; `idle`: seconds without GPU work. */
export const TemplateEnd = z.object({
  action: EndAction,
  when: z.discriminatedUnion('kind', [
    variant('after', { seconds: Seconds.min(60) }),
    variant('idle', { seconds: Seconds.min(minIdleSeconds) }),
    variant('budget', { budget: Money }),
  ]),
})
export type TemplateEnd = z.infer<typeof TemplateEnd>

/** SSH settings of the machine; null: the account's. No identity file: its path is of this computer only. */
const TemplateSsh = z.object({
  user: Name.nullable(),
  port: z.number().int().min(1).max(65_535).nullable(),
  jumpHost: Name.nullable(),
  forwardAgent: z.boolean().nullable(),
  options: z.string().max(2_000).nullable(),
})

/** Offers of the catalog by name, as ids differ between accounts. `volume`: generated name of a bootable volume. */
const wanted = {
  flavor: Name.nullable(),
  region: Name.nullable(),
  image: Name.nullable(),
  volume: Name.nullable(),
  /** Comment or file name of a public key. */
  key: Name.nullable(),
}

/** Work on a machine once it exists. `commands` run once over SSH when it is ready. */
const afterwards = {
  volumes: z.array(z.object({ id: z.string().min(1).max(300), name: Name })).max(templateLimits.entries),
  firewall: z.array(NewFirewallRule).max(templateLimits.entries),
  ssh: TemplateSsh,
  commands: z.string().max(templateLimits.commands),
  end: TemplateEnd.nullable(),
}

/** A machine to create again. Holds no password, no token and no private key, except in a script of the user. */
export const TemplateContent = z.object({
  name: z.string().trim().min(1).max(templateLimits.name),
  machineName: Name,
  ...wanted,
  initScript: z.string().max(templateLimits.script),
  ...afterwards,
})
export type TemplateContent = z.infer<typeof TemplateContent>

export const Template = TemplateContent.extend({ id: z.uuid() })
export type Template = z.infer<typeof Template>

/** A template with the lines of its scripts that look like they hold a secret, counted from 1. */
export const TemplateView = Template.extend({
  secretLines: z.object({ initScript: z.array(z.number()), commands: z.array(z.number()) }),
})
export type TemplateView = z.infer<typeof TemplateView>

/** An exported template. Texts of later versions are refused. */
export const TemplateFile = z.object({
  format: z.literal('wheelhouse-template'),
  version: z.literal(1),
  template: TemplateContent,
})
export type TemplateFile = z.infer<typeof TemplateFile>

/**
 * Work that the form of a new machine shows. The end is armed only if `isEndArmed`, and SSH is used for the commands only if
 * `isSshAllowed`; both are answers of the user for this machine.
 */
export const MachinePlan = z.object({
  template: z.string(),
  wanted: z.object(wanted),
  ...afterwards,
  isEndArmed: z.boolean(),
  isSshAllowed: z.boolean(),
})
export type MachinePlan = z.infer<typeof MachinePlan>

export const planSteps = ['ssh', 'end', 'firewall', 'volumes', 'commands'] as const
export const PlanStep = z.enum(planSteps)
export type PlanStep = z.infer<typeof PlanStep>

/**
 * Why the commands of a template are not started. `set-up-failed`: cloud-init reported an error. `set-up-unfinished`:
 * cloud-init has run, and Wheelhouse did not read that it ended.
 */
export const CommandHold = z.enum(['set-up-failed', 'set-up-unfinished'])
export type CommandHold = z.infer<typeof CommandHold>

/**
 * `running` is stored before anything is sent. `unknown`: sent, but no answer came; it is never repeated. `failed`: nothing
 * was done for certain; `reason` is a text of the machine. `held`: nothing was done, and nothing is until the user asks for it.
 */
export const PlanStepState = z.discriminatedUnion('kind', [
  variant('waiting', {}),
  variant('running', {}),
  variant('done', {}),
  variant('unknown', {}),
  variant('held', { why: CommandHold }),
  variant('failed', {
    why: z.enum(['failure', 'not-ready', 'no-consent', 'too-many', 'unreachable', 'not-started']),
    failure: Failure.nullable(),
    reason: z.string().nullable(),
  }),
])
export type PlanStepState = z.infer<typeof PlanStepState>

/** Progress of the work of a plan. `request`: id of the draft of its creation. `machine`: null until it is known. */
export const PlanView = z.object({
  request: z.uuid(),
  account: OneAccount.shape.account,
  name: z.string(),
  template: z.string(),
  machine: z.string().nullable(),
  steps: z.array(z.object({ step: PlanStep, state: PlanStepState })),
})
export type PlanView = z.infer<typeof PlanView>

/** Result of an import. `field`: path of the field in the file. `cancelled`: the user chose no file. */
export const TemplateImport = z.discriminatedUnion('kind', [
  variant('imported', { template: TemplateView }),
  variant('cancelled', {}),
  variant('refused', {
    why: z.enum(['too-large', 'not-json', 'not-a-template', 'later-version', 'field']),
    field: z.string().nullable(),
  }),
])
export type TemplateImport = z.infer<typeof TemplateImport>

const OneTemplate = z.object({ template: Template.shape.id })
const OnePlan = OneAccount.extend({ request: z.uuid() })

/** Init script of a machine; empty: it has none. `secretLines`: lines that look like they hold a secret, counted from 1. */
const InitScript = z.object({ text: TemplateContent.shape.initScript, secretLines: z.array(z.number()) })
export type InitScript = z.infer<typeof InitScript>

export const templateCalls = {
  'templates.list': call(z.object({}), z.array(TemplateView)),
  /**
   * Adds a template, or replaces the one with its id. Fails with invalid-input (templates: out-of-range, name:
   * already-there), disk-full and local-fault.
   */
  'templates.save': call(z.object({ template: Template }), TemplateView),
  /** Returns the script that a machine was created with on this computer; null: unknown. It may hold secrets. */
  'templates.initScript': call(OneAccount.extend({ machine: z.string() }), InitScript.nullable()),
  'templates.remove': call(OneTemplate, z.void()),
  /**
   * Opens a save dialog. Values of scripts and SSH options that look secret are left out; `leftOut` counts their lines. Fails
   * with cancelled, invalid-input (template), disk-full and local-fault.
   */
  'templates.export': call(OneTemplate, z.object({ file: z.string(), leftOut: z.number().int() })),
  /** Opens a dialog for a file. Fails with local-fault and disk-full. */
  'templates.import': call(z.object({}), TemplateImport),
} as const

export const planCalls = {
  /**
   * Stores the plan of a creation before it is sent. `confirmedName`: the machine's name as typed, for an armed deletion.
   * Fails with invalid-input (name: not-the-name), disk-full and local-fault.
   */
  'plans.prepare': call(
    OnePlan.extend({ name: z.string(), plan: MachinePlan, confirmedName: z.string().nullable() }),
    z.void(),
  ),
  'plans.list': call(OneAccount, z.array(PlanView)),
  /** Forgets the rest of a plan. */
  'plans.dismiss': call(OnePlan, z.void()),
  /** Tries failed steps again. Steps whose outcome is unknown are never repeated. */
  'plans.retry': call(OnePlan, z.void()),
  /** Starts held commands, whatever the state of the set-up. */
  'plans.runHeld': call(OnePlan, z.void()),
} as const

export const templateEvents = {
  'templates.changed': z.object({ templates: z.array(TemplateView) }),
} as const

export const planEvents = {
  'plans.changed': z.object({ account: OneAccount.shape.account, plans: z.array(PlanView) }),
} as const
