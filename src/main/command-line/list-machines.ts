import { randomUUID } from 'node:crypto'
import type { AccountView } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { FailureError } from '#shared/failure'
import { formatMoney, formatRate } from '#shared/money/format-money'
import type { CommandInput } from './command'
import type { Context } from './context'
import { oneLine } from '../core/one-line'
import { CommandFailure } from './failure'
import { table } from './table'
import {
  accountOutput,
  column,
  costsOf,
  endsOf,
  endText,
  factLines,
  gpuText,
  machineOutput,
  time,
} from './views'

/** The same order in each language, as scripts expect. */
const order = new Intl.Collator('en', { numeric: true }).compare

export async function ls(context: Context): Promise<undefined> {
  const { text, terminal } = context
  const none = text('none')
  const account = await context.account()
  const [{ machines, status }, costs, ends] = await Promise.all([
    context.fleet(account),
    costsOf(context, account),
    endsOf(context, account),
  ])
  const items = machines
    .map((machine) => machineOutput(machine, costs.get(machine.id), ends.get(machine.id)))
    .toSorted((one, other) => order(one.name, other.name))
  context.show('ls', { account: accountOutput(account), asOf: status.asOf, machines: items }, () => {
    if (items.length === 0) return [text('noMachines')]
    const hasEnd = items.some(({ end }) => end !== null)
    const rows = items.map((item) => [
      item.name,
      item.status ?? none,
      gpuText(context, item) ?? none,
      item.address ?? none,
      item.region ?? none,
      item.perHour ? formatRate(item.perHour) : none,
      ...(hasEnd ? [endText(ends.get(item.id)) ?? none] : []),
    ])
    const keys = ['name', 'status', 'gpu', 'address', 'region', 'perHour', ...(hasEnd ? ['end'] : [])]
    const head = keys.map((key) => column(context, key))
    return table(head, rows, terminal.columns)
  })
}

/** Returns the password of a machine, null if the service reports none, once the user allowed it in the window. */
async function passwordOf(context: Context, { id: account }: AccountView, { id, hasPassword }: MachineView) {
  if (!hasPassword) return null
  context.terminal.report(context.text('progress.askingForSecret'))
  try {
    return await context.call('secret.ask', { account, machine: id, request: randomUUID() })
  } catch (error) {
    if (error instanceof FailureError && error.failure.kind === 'cancelled')
      throw new CommandFailure('notConfirmed', context.text('errors.secretRefused'))
    throw error
  }
}

/** Returns the line of a password, which is neither cut nor changed. Throws CommandFailure if a terminal would change it. */
function passwordLines({ text }: Context, password: string | null | undefined): readonly string[] {
  if (password === undefined) return []
  if (password !== null && oneLine(password) !== password)
    throw new CommandFailure('failed', text('errors.passwordForJson'))
  return [`${text('facts.password')}  ${password ?? text('none')}`]
}

export async function show(context: Context, { words: [word = ''], has }: CommandInput): Promise<undefined> {
  const { text, terminal } = context
  const account = await context.account()
  const [{ machine, asOf }, costs, ends] = await Promise.all([
    context.machine(account, word),
    costsOf(context, account),
    endsOf(context, account),
  ])
  const rule = ends.get(machine.id)
  const item = machineOutput(machine, costs.get(machine.id), rule)
  const secret = has('show-secret')
    ? { password: await passwordOf(context, account, machine) }
    : { password: undefined }
  const gigabytes = (count: number | null): string | null =>
    count === null ? null : text('gigabytes', { count: String(count) })
  context.show('show', { account: accountOutput(account), asOf, machine: item, ...secret }, () => {
    const facts: readonly (readonly [string, string | null])[] = [
      ['name', item.name],
      ['id', item.id],
      ['status', item.status],
      ['address', item.address],
      ['user', item.user],
      ['gpu', gpuText(context, item)],
      ['cpu', item.cpu === null ? null : String(item.cpu)],
      ['ram', gigabytes(item.ram)],
      ['disk', gigabytes(item.disk)],
      ['flavor', item.flavor],
      ['image', item.image],
      ['region', item.region],
      ['started', time(item.startedAt)],
      ['perHour', item.perHour && formatRate(item.perHour)],
      ['soFar', item.soFar && formatMoney(item.soFar)],
      ['end', endText(rule)],
    ]
    return [...factLines(context, facts, terminal.columns), ...passwordLines(context, secret.password)]
  })
}
