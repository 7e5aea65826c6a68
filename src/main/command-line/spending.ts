import type { AccountView } from '#shared/bridge/account'
import type { AlertLimits } from '#shared/bridge/alert'
import { FailureError } from '#shared/failure'
import { formatMoney, formatRate } from '#shared/money/format-money'
import { defaultCurrency } from '#shared/money/money'
import type { CommandInput } from './command'
import type { Context } from './context'
import { CommandFailure } from './failure'
import { table } from './table'
import { readPositive } from './values'
import { accountOutput, column, factLines } from './views'

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

export async function cost(context: Context): Promise<undefined> {
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

export async function waste(context: Context): Promise<undefined> {
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

export async function budget(context: Context, { words: [typed] }: CommandInput): Promise<undefined> {
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
