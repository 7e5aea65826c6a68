import type { AccountView } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { Context } from './context'
import { table } from './table'
import { accountOutput, column, named, time } from './views'

/** Machines whose readings are requested at the same time. */
const parallelReadings = 20

async function readGpus({ call }: Context, account: AccountView, machines: readonly MachineView[]) {
  const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)
  const read = async (machine: MachineView) => {
    const { report, at } = await call('gpu.state', { account: account.id, machine: machine.id })
    const gpus = report?.kind === 'gpus' ? report.gpus : []
    return {
      ...named(machine),
      readAt: at,
      gpus: gpus.map(({ index, name, ...values }) => ({
        index,
        name,
        utilization: number(values.utilization),
        memoryUsed: number(values.memoryUsed),
        memoryTotal: number(values.memoryTotal),
        temperature: number(values.temperature),
        power: number(values.power),
      })),
    }
  }
  const found: Awaited<ReturnType<typeof read>>[] = []
  for (let at = 0; at < machines.length; at += parallelReadings)
    found.push(...(await Promise.all(machines.slice(at, at + parallelReadings).map(read))))
  return found
}

export async function gpus(context: Context): Promise<undefined> {
  const { text, terminal } = context
  const none = text('none')
  const account = await context.account()
  const { machines } = await context.fleet(account)
  const found = await readGpus(context, account, machines)
  const output = found.filter(({ gpus: list }) => list.length > 0)
  context.show('gpus', { account: accountOutput(account), machines: output }, () => {
    if (output.length === 0) return [text('noReadings')]
    const unit = (value: number | null, sign: string): string =>
      value === null ? none : `${String(Math.round(value))}${sign}`
    const rows = output.flatMap(({ name, readAt, gpus: list }) =>
      list.map((gpu) => [
        name,
        `${String(gpu.index)} ${gpu.name}`,
        unit(gpu.utilization, ' %'),
        gpu.memoryUsed === null || gpu.memoryTotal === null
          ? none
          : text('mebibytes', { used: String(gpu.memoryUsed), total: String(gpu.memoryTotal) }),
        unit(gpu.temperature, ' °C'),
        unit(gpu.power, ' W'),
        time(readAt) ?? none,
      ]),
    )
    const head = ['machine', 'gpu', 'load', 'memory', 'temperature', 'power', 'read']
    return table(
      head.map((key) => column(context, key)),
      rows,
      terminal.columns,
    )
  })
}
