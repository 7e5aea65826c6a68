import { noKeeper, type TerminalSession } from '#shared/bridge/terminal'
import { foreignText } from '../../components/foreign-text'
import { useToast } from '../../components/toast'
import { t } from '../../platform/i18n'
import { type ConnectChoices, useSsh } from '../../stores/ssh'
import { useTerminals } from '../../stores/terminals'

/** Describes which running sessions end and which continue after their terminals close. */
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

/** Returns whether the machine lacks a tool that keeps sessions, so that it cannot reconnect. */
export const cannotBeKept = ({ kept, state }: TerminalSession): boolean =>
  kept !== null && state.kind === 'ended' && state.code === noKeeper

/** Opens and shows another terminal on a session's machine. Replaces a session that is impossible to keep. */
export function useOpenBeside(show: (session: string) => Promise<void>) {
  const ssh = useSsh()
  const terminals = useTerminals()
  const toast = useToast()
  return async (session: TerminalSession, how: ConnectChoices): Promise<void> => {
    const { account, machine } = session
    const opened = await ssh.connect(account, machine, { inside: true, ...how })
    const attempt = ssh.attempt(account, machine)
    if (opened?.session) {
      await show(opened.session)
      // After a failure the tab stays.
      if (!how.beside && cannotBeKept(session)) await terminals.close(session.id).catch(() => undefined)
    } else if (attempt?.kind === 'failed' && attempt.failure.kind !== 'host-key-refused')
      toast.failure(attempt.failure)
  }
}
