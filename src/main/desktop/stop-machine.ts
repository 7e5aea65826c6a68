import type { MessageBoxOptions } from 'electron'
import { failureText } from '#shared/messages/failure-text'
import { translate } from '#shared/messages/index'
import { failureOf } from '../core/failure-of'
import { failureLines, systemLine } from './system-text'

export interface StopMachineDeps {
  nameOf(account: string, machine: string): string
  /** Shows a system dialog. Resolves with the index of the selected button. */
  ask(options: MessageBoxOptions): Promise<{ readonly response: number }>
  stop(account: string, machine: string): Promise<unknown>
  showError(title: string, text: string): void
}

/** Stops a machine from the tray after a confirmation. Esc and Enter cancel. */
export const createStopMachine =
  ({ nameOf, ask, stop, showError }: StopMachineDeps) =>
  async (account: string, machine: string): Promise<void> => {
    const name = systemLine(nameOf(account, machine))
    const { response } = await ask({
      type: 'question',
      message: translate('machineActions.confirm.stop.title', { machine: name }),
      detail: translate('machineActions.text.stop'),
      buttons: [translate('machineActions.actions.stop'), translate('common.actions.cancel')],
      defaultId: 1,
      cancelId: 1,
    })
    if (response !== 0) return
    try {
      await stop(account, machine)
    } catch (error) {
      const words = failureText(failureOf(error, 'machine.stop'), translate)
      showError(translate('desktop.stopFailed.title', { machine: name }), failureLines(words))
    }
  }
