import type { AccountView } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { findsLoss, type LookBefore } from '#shared/bridge/last-look'
import { translate } from '#shared/messages/index'
import { lookLines } from '#shared/messages/look-text'
import { oneLine, shortLine } from '../core/one-line'
import type { Context } from './context'
import { CommandFailure } from './failure'

/**
 * Looks at a machine, if the user allowed it, and prints the work that a stop or deletion would end. Fails with wouldLose if
 * there is some. A machine that does not answer holds nothing back, as in the window.
 */
export async function refuseLoss(
  { call, text, terminal }: Context,
  account: AccountView,
  { id, name }: MachineView,
  before: LookBefore,
): Promise<void> {
  const order = { account: account.id, machine: id, before, isUnattended: true }
  const outcome = await call('lastLook.look', order)
  if (outcome.kind === 'no-consent') return
  const shown = oneLine(name)
  if (outcome.kind === 'stopped') return terminal.report(text('look.unreachable', { name: shown }))
  lookLines(outcome.look, { translate, foreign: shortLine }).forEach(terminal.report)
  if (findsLoss(outcome.look)) throw new CommandFailure('wouldLose', text(`look.${before}`, { name: shown }))
}
