import type { TerminalSession } from '#shared/bridge/terminal'
import { foreignText } from '../../components/foreign-text'
import { useToast } from '../../components/toast'
import { t } from '../../platform/i18n'
import { type ConnectChoices, useSsh } from '../../stores/ssh'

/** What goes on, or ends, where the terminal of a session is closed. */
export const closingText = ({ kept, name }: TerminalSession): string =>
  t(kept === null ? 'terminal.confirm.text' : 'terminal.kept.close', { machine: foreignText(name, 60) })

/** Opens another terminal on the machine of a session, and shows it. */
export function useOpenBeside(show: (session: string) => Promise<void>) {
  const ssh = useSsh()
  const toast = useToast()
  return async ({ account, machine }: TerminalSession, how: ConnectChoices): Promise<void> => {
    const opened = await ssh.connect(account, machine, { inside: true, ...how })
    const attempt = ssh.attempt(account, machine)
    if (opened?.session) await show(opened.session)
    else if (attempt?.kind === 'failed') toast.failure(attempt.failure)
  }
}
