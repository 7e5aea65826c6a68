import type { AccountView } from '#shared/bridge/account'
import type { ActiveCost } from '#shared/bridge/cost'
import type { EndRuleView } from '#shared/bridge/end-rule'
import type { MachineView } from '#shared/bridge/fleet'
import { endRuleText } from '#shared/messages/end-rule-text'
import { translate } from '#shared/messages/index'
import type { Money } from '#shared/money/money'
import type { Context } from './context'
import type { EndOutput, MachineOutput } from './output'
import { table } from './table'

export const accountOutput = ({ id, label }: AccountView) => ({ id, name: label })
export const named = ({ id, name }: { readonly id: string; readonly name: string }) => ({ id, name })
export const time = (seconds: number | null): string | null =>
  seconds === null ? null : new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')

export function endOutput(rule: EndRuleView | undefined): EndOutput | null {
  if (!rule) return null
  const { action, when, state, dueAt } = rule
  return {
    action,
    at: when.kind === 'at' ? when.at : null,
    idle: when.kind === 'idle' ? when.seconds : null,
    budget: when.kind === 'budget' ? when.budget : null,
    job: when.kind === 'job' ? when.name : null,
    state: state.kind,
    held: state.kind === 'held' ? state.why : null,
    dueAt,
  }
}

export function machineOutput(
  machine: MachineView,
  cost: ActiveCost | undefined,
  rule: EndRuleView | undefined,
): MachineOutput {
  const { id, name, status, address, username: user, startedAt, image, region, flavor } = machine
  const { gpu, gpuCount, cpu, ram, disk } = flavor
  const money = (millionths: number | null | undefined): Money | null =>
    cost && typeof millionths === 'number' ? { currency: cost.currency, millionths } : null
  return {
    id,
    name,
    status,
    address,
    user,
    gpu,
    gpuCount,
    cpu,
    ram,
    disk,
    flavor: flavor.name,
    image,
    region,
    startedAt,
    perHour: money(cost?.perHour),
    soFar: money(cost?.soFar),
    end: endOutput(rule),
  }
}

/** Text of the GPUs; null without any. */
export function gpuText({ text }: Context, { gpu, gpuCount }: MachineOutput): string | null {
  if (gpu === null) return null
  return gpuCount === null || gpuCount < 2 ? gpu : text('gpuCount', { count: String(gpuCount), gpu })
}

export const column = ({ text }: Context, name: string): string => text(`columns.${name}`)

export async function costsOf(
  { call }: Context,
  account: AccountView,
): Promise<ReadonlyMap<string, ActiveCost>> {
  const costs = await call('cost.active', { account: account.id })
  return new Map(costs.map((cost) => [cost.id, cost]))
}

/** Returns the armed ends of an account's machines, by machine. */
export async function endsOf(
  { call }: Context,
  account: AccountView,
): Promise<ReadonlyMap<string, EndRuleView>> {
  const rules = await call('endRules.list', { account: account.id })
  return new Map(rules.map((rule) => [rule.machine, rule]))
}

/** Text of an armed end; null without one. */
export function endText(rule: EndRuleView | undefined): string | null {
  if (!rule) return null
  return rule.state.kind === 'held'
    ? translate(`endRules.heldTitle.${rule.action}`)
    : endRuleText(rule, translate)
}

/** Lines with a name and a value each; a missing value is a dash. */
export function factLines(
  { text }: Context,
  facts: readonly (readonly [string, string | null])[],
  columns: number | null,
): readonly string[] {
  const rows = facts.map(([key, value]) => [text(`facts.${key}`), value ?? text('none')])
  return table(['', ''], rows, columns).slice(1)
}
