import type { Destination } from '#shared/bridge/app'
import type { CallOutput } from '#shared/bridge/index'
import { failureText } from '#shared/messages/failure-text'
import { translate } from '#shared/messages/index'
import { failureOf } from '../core/failure-of'
import type { Notice } from './notify'
import { failureLines, systemLine } from './system-text'

export interface ConnectFromTrayDeps {
  connect(account: string, machine: string): Promise<CallOutput<'ssh.connect'>>
  place(account: string, machine: string): { readonly name: string; readonly destination: Destination }
  showWindow(destination: Destination): void
  notifyInWindow(notice: Notice): void
  /** Shows a notice through the system if no window is open. */
  notify(notice: Notice): void
  showError(title: string, text: string): void
}

const terminalSettings: Destination = { page: 'settings', section: 'terminal' }

/** Connects from the tray, and reports which terminal did not open or why the connection failed. */
export function createConnectFromTray(deps: ConnectFromTrayDeps) {
  const { connect, place, showWindow, notifyInWindow, notify, showError } = deps
  /** Missing terminals that the user already knows of: each is reported once. */
  const reportedMissing = new Set<string>()

  function problemOf({ terminal, missing, failed }: CallOutput<'ssh.connect'>): string | null {
    if (failed !== null) return translate('ssh.failed', { failed })
    if (missing === null || reportedMissing.has(missing)) return null
    reportedMissing.add(missing)
    return translate('ssh.missing', { missing, terminal })
  }

  return async (account: string, machine: string): Promise<void> => {
    try {
      const opened = await connect(account, machine)
      const { session } = opened
      if (session !== null) showWindow({ page: 'terminals', session })
      const title = problemOf(opened)
      if (title === null) return
      const showNotice = session === null ? notify : notifyInWindow
      const act = (): void => showWindow(terminalSettings)
      showNotice({ title, body: '', destination: terminalSettings, act })
    } catch (error) {
      const failure = failureOf(error, 'ssh.connect')
      // The user cancelled on purpose.
      if (failure.kind === 'cancelled' || failure.kind === 'host-key-refused') return
      const { name, destination } = place(account, machine)
      showWindow(destination)
      showError(
        translate('desktop.sshFailed.title', { machine: systemLine(name) }),
        failureLines(failureText(failure, translate)),
      )
    }
  }
}
