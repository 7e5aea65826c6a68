import type { MessageBoxOptions } from 'electron'
import type { Transfer } from '#shared/bridge/files'
import { translate } from '#shared/messages/index'
import type { ConfirmQuit, Unfinished } from '../app/host-environment'
import type { ReportError } from '../core/report-error'
import { systemLine } from './system-text'

export interface ConfirmQuitDeps {
  unfinished(): Unfinished
  /** Brings the window of the question to the front, or opens it. */
  showWindow(): void
  /** Shows a system dialog. Resolves with the index of the selected button. */
  ask(options: MessageBoxOptions): Promise<{ readonly response: number }>
  readonly report: ReportError
}

const maxNamed = 5
const maxNameLength = 60

function transferLine({ direction, name, others, machineName }: Transfer): string {
  const first = systemLine(name, maxNameLength)
  const named = others === 0 ? first : translate('files.transfers.others', { name: first, count: others })
  return translate(`desktop.quitWithWork.${direction}`, {
    name: named,
    machine: systemLine(machineName, maxNameLength),
  })
}

const linesOf = ({ transfers, terminals, forwards }: Unfinished): readonly string[] => [
  ...transfers.map(transferLine),
  ...terminals.map(({ name, title }) =>
    translate('desktop.quitWithWork.terminal', { machine: systemLine(title ?? name, maxNameLength) }),
  ),
  ...forwards.map(({ port, machineName }) =>
    translate('desktop.quitWithWork.forward', { port, machine: systemLine(machineName, maxNameLength) }),
  ),
]

const consequencesOf = (all: Unfinished): readonly string[] =>
  (['transfers', 'terminals', 'forwards'] as const)
    .filter((kind) => all[kind].length > 0)
    .map((kind) => translate(`desktop.quitWithWork.${kind}Text`))

/** Asks before quitting whether running work may be stopped. Esc and Enter keep it running. */
export function createConfirmQuit({ unfinished, showWindow, ask, report }: ConfirmQuitDeps): ConfirmQuit {
  let isAgreed = false
  let asking: Promise<boolean> | undefined
  const withdrawn = new AbortController()
  const count = ({ transfers, terminals, forwards }: Unfinished): number =>
    transfers.length + terminals.length + forwards.length
  async function question(): Promise<boolean> {
    const all = unfinished()
    const lines = linesOf(all)
    const more = lines.length - maxNamed
    try {
      const { response } = await ask({
        type: 'question',
        message: translate('desktop.quitWithWork.title', { count: count(all) }),
        detail: [
          ...lines.slice(0, maxNamed),
          ...(more > 0 ? [translate('desktop.quitWithWork.more', { count: more })] : []),
          '',
          ...consequencesOf(all),
        ].join('\n'),
        buttons: [translate('desktop.quitWithWork.quit'), translate('desktop.quitWithWork.keep')],
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
  /** Opens one question at a time: further requests share its answer and bring it to the front. */
  async function isAllowed(): Promise<boolean> {
    if (isAgreed || (!asking && count(unfinished()) === 0)) return true
    showWindow()
    return (asking ??= question())
  }

  return {
    pending: () => !isAgreed && (asking !== undefined || count(unfinished()) > 0),
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
