import type { MessageBoxOptions } from 'electron'
import type { Transfer } from '#shared/bridge/files'
import { translate } from '#shared/messages/index'
import { systemLine } from './system-text'

export interface ConfirmQuitDeps {
  /** Transfers that quitting would end. */
  unfinished(): readonly Transfer[]
  /** Asks in a dialog of the system, and resolves with the index of the button. */
  ask(options: MessageBoxOptions): Promise<{ readonly response: number }>
}

/** Transfers that are named at most. */
const mostNamed = 5

/** Asks whether transfers that are under way may be stopped. Esc and Enter keep them running. */
export function createConfirmQuit({ unfinished, ask }: ConfirmQuitDeps) {
  const lines = (all: readonly Transfer[]): readonly string[] =>
    all.slice(0, mostNamed).map(({ direction, name, others, machineName }) => {
      const first = systemLine(name, 60)
      const named = others === 0 ? first : translate('files.transfers.others', { name: first, count: others })
      return translate(`desktop.quitWithTransfers.${direction}`, {
        name: named,
        machine: systemLine(machineName, 60),
      })
    })
  return {
    pending: (): boolean => unfinished().length > 0,
    /** Whether the application may quit. */
    async confirm(): Promise<boolean> {
      const all = unfinished()
      const more = all.length - mostNamed
      const { response } = await ask({
        type: 'question',
        message: translate('desktop.quitWithTransfers.title', { count: all.length }),
        detail: [
          ...lines(all),
          ...(more > 0 ? [translate('desktop.quitWithTransfers.more', { count: more })] : []),
          '',
          translate('desktop.quitWithTransfers.text'),
        ].join('\n'),
        buttons: [translate('desktop.quitWithTransfers.quit'), translate('desktop.quitWithTransfers.keep')],
        defaultId: 1,
        cancelId: 1,
      })
      return response === 0
    },
  }
}
