import type { AccountView } from '#shared/bridge/account'
import type { ActiveCost } from '#shared/bridge/cost'
import type { MachineView } from '#shared/bridge/fleet'
import type { Money } from '#shared/money/money'
import type { Context } from './context'
import type { MachineOutput } from './output'
import { table } from './table'

export const accountOutput = ({ id, label }: AccountView) => ({ id, name: label })
export const named = ({ id, name }: { readonly id: string; readonly name: string }) => ({ id, name })
export const time = (seconds: number | null): string | null =>
  seconds === null ? null : new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')

export function machineOutput(machine: MachineView, cost: ActiveCost | undefined): MachineOutput {
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

/** Lines with a name and a value each; a missing value is a dash. */
export function factLines(
  { text }: Context,
  facts: readonly (readonly [string, string | null])[],
  columns: number | null,
): readonly string[] {
  const rows = facts.map(([key, value]) => [text(`facts.${key}`), value ?? text('none')])
  return table(['', ''], rows, columns).slice(1)
}
