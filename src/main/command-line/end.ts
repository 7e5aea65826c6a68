import type { AccountView } from '#shared/bridge/account'
import {
  type EndAction,
  type EndRuleView,
  type EndWhen,
  maxEndSeconds,
  minIdleSeconds,
} from '#shared/bridge/end-rule'
import type { MachineView } from '#shared/bridge/fleet'
import { endRuleText, stopCostText } from '#shared/messages/end-rule-text'
import { lookCountsText } from '#shared/messages/look-text'
import { translate } from '#shared/messages/index'
import { oneLine } from '../core/one-line'
import type { CommandInput } from './command'
import type { Context } from './context'
import { CommandFailure } from './failure'
import { jobNamed } from './jobs'
import { readDuration, readPositive, readTime } from './values'
import { costsOf, endOutput, named } from './views'

const conditions = ['at', 'after', 'idle', 'budget', 'when-done'] as const

const usage = ({ text }: Context, key: string, values: Readonly<Record<string, string>>): CommandFailure =>
  new CommandFailure('usage', text(`errors.${key}`, values))

/** Reads the condition of the options; null if there is none. Throws CommandFailure. */
export async function readWhen(
  context: Context,
  { value }: CommandInput,
  account: AccountView,
  machine: MachineView,
): Promise<EndWhen | null> {
  const given = conditions.filter((option) => value(option) !== undefined)
  const [option, other] = given
  if (option === undefined) return null
  if (other !== undefined)
    throw usage(context, 'oneOption', {
      options: given.map((each) => `--${each}`).join(translate('common.listSeparator')),
    })
  const typed = value(option) ?? ''
  const now = context.now()
  if (option === 'budget') {
    const cost = (await costsOf(context, account)).get(machine.id)
    if (!cost) throw new CommandFailure('failed', translate('endRules.dialog.noPrice'))
    const budget = readPositive(typed, cost.currency)
    if (!budget) throw usage(context, 'amount', { amount: typed })
    if (budget.millionths <= (cost.soFar ?? 0))
      throw new CommandFailure('usage', translate('endRules.dialog.invalidBudget'))
    return { kind: 'budget', budget }
  }
  if (option === 'when-done') {
    const { id, name, state, machine: place } = await jobNamed(context, account, typed)
    if (place !== machine.id || state.kind !== 'running')
      throw new CommandFailure('notFound', context.text('errors.notRunningHere', { name: oneLine(typed) }))
    return { kind: 'job', job: id, name }
  }
  if (option === 'at') {
    const at = readTime(typed, now)
    if (at === null || at <= now || at > now + maxEndSeconds) throw usage(context, 'time', { time: typed })
    return { kind: 'at', at }
  }
  const seconds = readDuration(typed)
  const least = option === 'idle' ? minIdleSeconds : 1
  if (seconds === null || seconds < least || seconds > maxEndSeconds)
    throw usage(context, option === 'idle' ? 'idleTime' : 'duration', { duration: typed })
  return option === 'idle' ? { kind: 'idle', seconds } : { kind: 'at', at: Math.round(now + seconds) }
}

/** Returns the action of the options. A deletion needs the machine's name. Throws CommandFailure. */
export function readAction(context: Context, { has, value }: CommandInput, machine: MachineView): EndAction {
  const name = value('delete')
  if (name === undefined) return 'stop'
  if (has('stop')) throw usage(context, 'oneOption', { options: '--stop, --delete' })
  if (name === '' || name !== machine.name)
    throw new CommandFailure('notConfirmed', context.text('errors.notArmed'))
  return 'delete'
}

function showRule(context: Context, machine: MachineView, rule: EndRuleView | undefined): void {
  context.show('end', { machine: named(machine), end: endOutput(rule) }, () => {
    if (!rule) return [context.text('noEnd', { name: machine.name })]
    const { state } = rule
    const held = state.kind === 'held' ? [translate(`endRules.held.${state.why}`)] : []
    const found = state.kind === 'held' && state.found ? lookCountsText(state.found, translate) : ''
    const cost = stopCostText(rule.action, rule.when.kind, translate)
    return [
      `${machine.name}: ${endRuleText(rule, translate)}`,
      ...held,
      ...(found === '' ? [] : [found]),
      ...(cost === null ? [] : [cost]),
    ]
  })
}

/** Looks at a machine whose deletion was armed, and reports if that is not possible now. */
async function lookAhead(
  { call, terminal }: Context,
  account: AccountView,
  { id, name }: MachineView,
): Promise<void> {
  const order = { account: account.id, machine: id, before: 'delete', isUnattended: true } as const
  const { kind } = await call('lastLook.look', order)
  if (kind !== 'looked') terminal.report(translate('endRules.unseen.delete', { machine: name }))
}

/** Shows, arms or cancels the automatic end of a machine. */
export async function end(context: Context, input: CommandInput): Promise<undefined> {
  const { call } = context
  const account = await context.account()
  const { machine } = await context.machine(account, input.words[0] ?? '')
  const when = await readWhen(context, input, account, machine)
  const action = readAction(context, input, machine)
  const isCancel = input.has('cancel')
  if (isCancel && when) throw usage(context, 'oneOption', { options: `--cancel, --${when.kind}` })
  if (when) {
    const order = { account: account.id, machine: machine.id, name: machine.name, action, when }
    showRule(context, machine, await call('endRules.arm', order))
    if (action === 'delete') await lookAhead(context, account, machine)
    return
  }
  if (input.has('stop') || input.has('delete'))
    throw usage(context, 'missingWord', { word: conditions.map((option) => `--${option}`).join(' / ') })
  const rules = await call('endRules.list', { account: account.id })
  const rule = rules.find((each) => each.machine === machine.id)
  if (isCancel && rule) await call('endRules.cancel', { account: account.id, rule: rule.id })
  showRule(context, machine, isCancel ? undefined : rule)
}
