import type { AccountView } from '#shared/bridge/account'
import type { AlertLimits } from '#shared/bridge/alert'
import type { MachineView } from '#shared/bridge/fleet'
import { FailureError } from '#shared/failure'
import { formatMoney, formatRate } from '#shared/money/format-money'
import { defaultCurrency } from '#shared/money/money'
import type { Command, CommandInput } from './command'
import { completionScript, isShell, shells } from './completion'
import type { Context } from './context'
import { CommandFailure } from './failure'
import { create } from './create'
import { doctor } from './doctor'
import { end } from './end'
import { jobs, logs } from './jobs'
import { deleteMachine, power } from './machine-actions'
import { copy, forward, runCommand, shell } from './over-ssh'
import { table } from './table'
import { readPositive } from './values'
import { watch } from './watch'
import { accountOutput, column, costsOf, factLines, gpuText, machineOutput, named, time } from './views'

async function ls(context: Context): Promise<undefined> {
  const { text, terminal } = context
  const none = text('none')
  const account = await context.account()
  const [{ machines, status }, costs] = await Promise.all([context.fleet(account), costsOf(context, account)])
  const items = machines
    .map((machine) => machineOutput(machine, costs.get(machine.id)))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
  context.show('ls', { account: accountOutput(account), asOf: status.asOf, machines: items }, () => {
    if (items.length === 0) return [text('noMachines')]
    const rows = items.map((item) => [
      item.name,
      item.status ?? none,
      gpuText(context, item) ?? none,
      item.address ?? none,
      item.region ?? none,
      item.perHour ? formatRate(item.perHour) : none,
    ])
    const head = ['name', 'status', 'gpu', 'address', 'region', 'perHour'].map((key) => column(context, key))
    return table(head, rows, terminal.columns)
  })
}

async function show(context: Context, { words: [word = ''] }: CommandInput): Promise<undefined> {
  const { text, terminal } = context
  const account = await context.account()
  const [{ machine, asOf }, costs] = await Promise.all([
    context.machine(account, word),
    costsOf(context, account),
  ])
  const item = machineOutput(machine, costs.get(machine.id))
  const gigabytes = (count: number | null): string | null =>
    count === null ? null : text('gigabytes', { count: String(count) })
  context.show('show', { account: accountOutput(account), asOf, machine: item }, () => {
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
    ]
    return factLines(context, facts, terminal.columns)
  })
}

/** Pages that `open` shows; `connect`, `settings` and `guide` need no account. */
export const pages = [
  'overview',
  'machines',
  'bare-metal',
  'billing',
  'settings',
  'guide',
  'connect',
] as const
type Page = (typeof pages)[number]
const isPage = (word: string): word is Page => pages.some((page) => page === word)

async function open(context: Context, { words: [page, word] }: CommandInput): Promise<undefined> {
  const { call, text } = context
  if (page === undefined) await call('app.open', { destination: null })
  else if (!isPage(page))
    throw new CommandFailure('usage', text('errors.unknownPage', { page, pages: pages.join(', ') }))
  else if (page === 'settings' || page === 'guide' || page === 'connect')
    await call('app.open', { destination: { page } })
  else {
    const account = await context.account()
    const destination =
      page === 'machines' && word !== undefined
        ? { page, account: account.id, machine: (await context.machine(account, word)).machine.id }
        : { page, account: account.id }
    await call('app.open', { destination })
  }
  context.show('open', { page: page ?? '' }, () => [])
}

/** Returns the spending. Fails if the usage was never read: amounts without it are too low. */
async function readSpending(context: Context, account: AccountView) {
  const { call, text, until } = context
  const spending = await until(
    () => call('cost.spending', { account: account.id }),
    ({ usageAsOf, failure }) => usageAsOf !== null || failure !== null,
    'reading',
  )
  if (spending.usageAsOf !== null) return spending
  if (spending.failure) throw new FailureError(spending.failure)
  throw new CommandFailure('failed', text('errors.notRead'))
}

async function cost(context: Context): Promise<undefined> {
  const { terminal } = context
  const account = await context.account()
  const spending = await readSpending(context, account)
  const currencies = spending.currencies.map(({ currency, perHour, today, month, lastMonth, forecast }) => ({
    currency,
    perHour,
    today: today.charged + today.estimated,
    month: month.charged + month.estimated,
    lastMonth: lastMonth.charged + lastMonth.estimated,
    forecast: forecast.total,
  }))
  context.show('cost', { account: accountOutput(account), asOf: spending.asOf, currencies }, () =>
    currencies.flatMap(({ currency, ...amounts }) => {
      const money = (millionths: number): string => formatMoney({ currency, millionths })
      const facts: readonly (readonly [string, string])[] = [
        ['perHour', formatRate({ currency, millionths: amounts.perHour })],
        ['today', money(amounts.today)],
        ['month', money(amounts.month)],
        ['lastMonth', money(amounts.lastMonth)],
        ['forecast', money(amounts.forecast)],
      ]
      return factLines(context, facts, terminal.columns)
    }),
  )
}

async function waste(context: Context): Promise<undefined> {
  const { call, text, terminal, until } = context
  const none = text('none')
  const account = await context.account()
  const { items, read } = await until(
    () => call('waste.list', { account: account.id }),
    (view) => view.read || view.failure !== null,
    'reading',
  )
  if (!read && items.length === 0) throw new CommandFailure('failed', text('errors.notRead'))
  const output = items.map(({ reason, ...item }) => ({ ...item, reason: reason.kind }))
  context.show('waste', { account: accountOutput(account), items: output }, () => {
    if (items.length === 0) return [text('noWaste')]
    const rows = items.map(({ id, name, reason, perHour, perMonth, soFar }) => [
      name ?? id,
      text(`reasons.${reason.kind}`, { name: reason.kind === 'of-stopped' ? reason.name : '' }),
      perHour ? formatRate(perHour) : none,
      perMonth ? formatMoney(perMonth) : none,
      soFar ? formatMoney(soFar) : none,
    ])
    const head = ['name', 'reason', 'perHour', 'perMonth', 'soFar'].map((key) => column(context, key))
    return table(head, rows, terminal.columns)
  })
}

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

async function gpus(context: Context): Promise<undefined> {
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

/** Word that removes the budget. */
const noBudget = 'none'

/** Sets the monthly budget to an amount, or to none. */
async function setBudget(
  { call, text }: Context,
  id: string,
  limits: AlertLimits,
  typed: string,
  currency: string,
) {
  const wanted = typed === noBudget ? null : readPositive(typed, currency)
  if (wanted === null && typed !== noBudget)
    throw new CommandFailure('usage', text('errors.amount', { amount: typed }))
  return call('alerts.setLimits', { account: id, limits: { ...limits, budget: wanted } })
}

async function budget(context: Context, { words: [typed] }: CommandInput): Promise<undefined> {
  const { call, text, terminal } = context
  const account = await context.account()
  const [known, spending] = await Promise.all([
    call('alerts.limits', { account: account.id }),
    readSpending(context, account),
  ])
  const currency = known.budget?.currency ?? spending.currencies[0]?.currency ?? defaultCurrency
  const limits = typed === undefined ? known : await setBudget(context, account.id, known, typed, currency)
  const currencies = spending.currencies.map(({ currency, month, forecast }) => ({
    currency,
    month: month.charged + month.estimated,
    forecast: forecast.total,
  }))
  const output = { account: accountOutput(account), budget: limits.budget, currencies }
  context.show('budget', output, () => {
    const facts: (readonly [string, string])[] = [
      ['budget', limits.budget ? formatMoney(limits.budget) : text('noBudget')],
    ]
    for (const { currency, month, forecast } of currencies) {
      facts.push(['month', formatMoney({ currency, millionths: month })])
      facts.push(['forecast', formatMoney({ currency, millionths: forecast })])
    }
    return factLines(context, facts, terminal.columns)
  })
}

const oneMachine = ['MACHINE']

/** Commands in the order of the help. Completion and help derive from this table. */
export const commands: readonly Command[] = [
  { name: 'ls', required: [], run: ls },
  { name: 'show', required: oneMachine, run: show },
  {
    name: 'create',
    required: ['NAME'],
    options: ['flavor', 'image', 'key', 'region', 'count', 'init-script', 'max-per-hour', 'wait', 'yes'],
    run: create,
  },
  { name: 'watch', required: ['FLAVOR'], options: ['region'], run: watch },
  { name: 'start', required: oneMachine, run: power('start') },
  { name: 'stop', required: oneMachine, options: ['lose-work'], run: power('stop') },
  { name: 'delete', required: oneMachine, options: ['yes-delete', 'lose-work'], run: deleteMachine },
  {
    name: 'end',
    required: oneMachine,
    options: ['at', 'after', 'idle', 'budget', 'when-done', 'stop', 'delete', 'cancel'],
    run: end,
  },
  { name: 'ssh', required: oneMachine, takesRest: true, options: ['anyway'], run: shell },
  { name: 'run', required: oneMachine, takesRest: true, options: ['anyway'], run: runCommand },
  { name: 'cp', required: ['SOURCE', 'TARGET'], options: ['anyway'], run: copy },
  {
    name: 'forward',
    required: ['MACHINE', 'PORT'],
    optional: ['LOCAL_PORT'],
    options: ['anyway'],
    run: forward,
  },
  { name: 'jobs', required: [], optional: oneMachine, run: jobs },
  { name: 'logs', required: ['JOB'], options: ['follow'], run: logs },
  { name: 'open', required: [], optional: ['PAGE', 'MACHINE'], run: open },
  { name: 'cost', required: [], run: cost },
  { name: 'waste', required: [], run: waste },
  { name: 'gpus', required: [], run: gpus },
  { name: 'budget', required: [], optional: ['AMOUNT'], run: budget },
  { name: 'doctor', required: [], run: doctor },
  { name: 'mcp', required: [], run: serveAgents },
  { name: 'completion', required: ['SHELL'], isLocal: true, run: completion },
]

/** Loads the protocol only for this command. */
async function serveAgents(context: Context): Promise<undefined> {
  const { mcp } = await import('./mcp')
  return mcp(context)
}

/** Reads the table of commands, which holds this command too. */
function completion({ terminal, text }: Context, { words: [word = ''] }: CommandInput): Promise<undefined> {
  if (!isShell(word))
    throw new CommandFailure('usage', text('errors.unknownShell', { shell: word, shells: shells.join(', ') }))
  terminal.print(completionScript(word, commands, { pages, text }))
  return Promise.resolve(undefined)
}
