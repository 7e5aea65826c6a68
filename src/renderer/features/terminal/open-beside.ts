import type { TerminalSession } from '#shared/bridge/terminal'
import { foreignText } from '../../components/foreign-text'
import { useToast } from '../../components/toast'
import { t } from '../../platform/i18n'
import { type ConnectChoices, useSsh } from '../../stores/ssh'

/** What continues, or ends, where terminals are closed. */
export function closingText(sessions: readonly TerminalSession[]): string {
  const [first] = sessions
  const machine = foreignText(first?.name ?? '', 60)
  const isKept = sessions.every(({ kept }) => kept !== null)
  if (sessions.length > 1 && !isKept)
    return t('terminal.confirm.several', { count: sessions.length, machine })
  return t(isKept ? 'terminal.kept.close' : 'terminal.confirm.text', { machine })
}

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
