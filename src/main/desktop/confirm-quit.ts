import type { MessageBoxOptions } from 'electron'
import type { Transfer } from '#shared/bridge/files'
import { translate } from '#shared/messages/index'
import type { ConfirmQuit } from '../app/host-environment'
import type { ReportError } from '../core/report-error'
import { systemLine } from './system-text'

export interface ConfirmQuitDeps {
  /** Transfers that quitting would end. */
  unfinished(): readonly Transfer[]
  /** The window that the question stands on comes to the front, opened where there is none. */
  showWindow(): void
  /** Asks in a dialog of the system, and resolves with the index of the button. */
  ask(options: MessageBoxOptions): Promise<{ readonly response: number }>
  readonly report: ReportError
}

/** Transfers that are named at most. */
const mostNamed = 5

/** Asks before the application ends whether transfers that are under way may be stopped. Esc and Enter keep them running. */
export function createConfirmQuit({ unfinished, showWindow, ask, report }: ConfirmQuitDeps): ConfirmQuit {
  let isAgreed = false
  let asking: Promise<boolean> | undefined
  const withdrawn = new AbortController()
  const lines = (all: readonly Transfer[]): readonly string[] =>
    all.slice(0, mostNamed).map(({ direction, name, others, machineName }) => {
      const first = systemLine(name, 60)
      const named = others === 0 ? first : translate('files.transfers.others', { name: first, count: others })
      return translate(`desktop.quitWithTransfers.${direction}`, {
        name: named,
        machine: systemLine(machineName, 60),
      })
    })
  async function question(): Promise<boolean> {
    const all = unfinished()
    const more = all.length - mostNamed
    try {
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
        signal: withdrawn.signal,
      })
      return response === 0
    } catch (error) {
      report('app.confirmQuit', error)
      return false
    } finally {
      asking = undefined
    }
  }
  /** One question at a time: further requests share its answer and bring it to the front. */
  async function isAllowed(): Promise<boolean> {
    if (isAgreed || (!asking && unfinished().length === 0)) return true
    showWindow()
    return (asking ??= question())
  }

  return {
    pending: () => !isAgreed && (asking !== undefined || unfinished().length > 0),
    async end(begin) {
      if (!(await isAllowed())) return false
      isAgreed = true
      try {
        await begin()
      } catch (error) {
        isAgreed = false
        throw error
      }
      return true
    },
    sessionEnds() {
      isAgreed = true
      withdrawn.abort()
    },
  }
}
