import type { TerminalSession } from '#shared/bridge/terminal'
import { foreignText } from '../../components/foreign-text'
import { useToast } from '../../components/toast'
import { t } from '../../platform/i18n'
import { type ConnectChoices, useSsh } from '../../stores/ssh'

/** What ends, and what continues, where terminals are closed. One that runs nothing does neither. */
export function closingText(sessions: readonly TerminalSession[]): string {
  const machine = foreignText(sessions[0]?.name ?? '', 60)
  const running = sessions.filter(({ state }) => state.kind === 'running')
  const ending = running.filter(({ kept }) => kept === null).length
  const kept = running.length - ending
  return [
    ...(ending > 0 ? [t('terminal.confirm.text', { machine }, ending)] : []),
    ...(kept > 0 ? [t('terminal.kept.close', { machine }, kept)] : []),
  ].join(' ')
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
