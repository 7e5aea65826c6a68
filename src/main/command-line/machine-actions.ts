import { oneLine } from '../core/one-line'
import type { CommandInput } from './command'
import type { Context } from './context'
import { CommandFailure } from './failure'
import { refuseLoss } from './look'
import { named } from './views'

/** Starts or stops a machine. A stop looks at its work first. */
export const power =
  (action: 'start' | 'stop') =>
  async (context: Context, { words: [word = ''], has }: CommandInput): Promise<undefined> => {
    const { call, text } = context
    const account = await context.account()
    const { machine } = await context.machine(account, word)
    if (action === 'stop' && !has('lose-work')) await refuseLoss(context, account, machine, action)
    const { kind } = await call('machine.power', { account: account.id, machine: machine.id, action })
    if (kind === 'unknown') throw new CommandFailure('unknownOutcome', text('errors.unknownOutcome'))
    context.show(action, { machine: named(machine), outcome: 'done' }, () => [
      text(`sent.${action}`, { name: machine.name }),
    ])
  }

/** Deletes a machine whose name the user types or gives as an option, after a look at its work. */
export async function deleteMachine(
  context: Context,
  { words: [word = ''], has, value }: CommandInput,
): Promise<undefined> {
  const { call, text, terminal } = context
  const account = await context.account()
  const { machine } = await context.machine(account, word)
  const given = value('yes-delete')
  if (given === undefined && !terminal.isInteractive)
    throw new CommandFailure('notConfirmed', text('errors.needsTerminal', { name: machine.name }))
  // An empty line confirms nothing, not even for a machine without a name.
  const isName = (typed: string): boolean => typed !== '' && typed === machine.name
  const refuse = (): CommandFailure => new CommandFailure('notConfirmed', text('errors.notConfirmed'))
  if (given !== undefined && !isName(given)) throw refuse()
  if (!has('lose-work')) await refuseLoss(context, account, machine, 'delete')
  const typed = given ?? terminal.ask(text('confirmDelete', { name: oneLine(machine.name) }))
  if (!isName(typed)) throw refuse()
  const { kind } = await call('machine.delete', { account: account.id, machine: machine.id, name: typed })
  if (kind === 'unknown') throw new CommandFailure('unknownOutcome', text('errors.unknownOutcome'))
  context.show('delete', { machine: named(machine), outcome: 'done' }, () => [
    text('sent.delete', { name: machine.name }),
  ])
}
