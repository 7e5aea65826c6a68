import type { Destination } from '#shared/bridge/app'
import type { CallOutput } from '#shared/bridge/index'
import { failureText } from '#shared/messages/failure-text'
import { translate } from '#shared/messages/index'
import { failureOf } from '../core/failure-of'
import type { Notice } from './notify'
import { failureLines, systemLine } from './system-text'

export interface ConnectFromTrayDeps {
  connect(account: string, machine: string): Promise<CallOutput<'ssh.connect'>>
  /** What the machine is called, and where the window shows it. */
  place(account: string, machine: string): { readonly name: string; readonly destination: Destination }
  showWindow(destination: Destination): void
  /** Says it in the window that was opened or brought forward. */
  sayInWindow(notice: Notice): void
  /** Says it though no window may be open. */
  notify(notice: Notice): void
  sayFailed(title: string, text: string): void
}

const terminalSettings: Destination = { page: 'settings', section: 'terminal' }

/** Connect in the tray: as in the window it says which terminal did not open, or why nothing was connected. */
export function createConnectFromTray(deps: ConnectFromTrayDeps) {
  const { connect, place, showWindow, sayInWindow, notify, sayFailed } = deps
  /** Terminals that are not installed, as far as that was said. */
  const missed = new Set<string>()

  function problemOf({ terminal, missing, failed }: CallOutput<'ssh.connect'>): string | null {
    if (failed !== null) return translate('ssh.failed', { failed })
    if (missing === null || missed.has(missing)) return null
    missed.add(missing)
    return translate('ssh.missing', { missing, terminal })
  }

  return async (account: string, machine: string): Promise<void> => {
    try {
      const opened = await connect(account, machine)
      const { session } = opened
      if (session !== null) showWindow({ page: 'terminals', session })
      const title = problemOf(opened)
      if (title === null) return
      const say = session === null ? notify : sayInWindow
      const act = (): void => showWindow(terminalSettings)
      say({ title, body: '', destination: terminalSettings, act })
    } catch (error) {
      const failure = failureOf(error, 'ssh.connect')
      // The person's own choice.
      if (failure.kind === 'cancelled' || failure.kind === 'host-key-refused') return
      const { name, destination } = place(account, machine)
      showWindow(destination)
      sayFailed(
        translate('desktop.sshFailed.title', { machine: systemLine(name) }),
        failureLines(failureText(failure, translate)),
      )
    }
  }
}
