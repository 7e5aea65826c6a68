import { useRouter } from 'vue-router'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { sshDisabledReason } from '#shared/service/ssh-disabled-reason'
import { useToast } from '../../components/toast'
import { useBareMetal } from '../../stores/bare-metal'
import { type ConnectChoices, useSsh } from '../../stores/ssh'
import { t } from '../../platform/i18n'
import { goTo, showBareMetal, showMachine } from '../navigation/navigate'

/**
 * Opens a terminal on a machine, after asking for an unknown user name. A failure opens the machine's panel. `isQuiet`: the
 * user does something else, so that a toast offers the terminal instead of a change of page.
 */
export function useConnectMachine() {
  const ssh = useSsh()
  const bareMetal = useBareMetal()
  const router = useRouter()
  const toast = useToast()
  return async (
    account: AccountId,
    machine: MachineView,
    how: ConnectChoices = {},
    isQuiet = false,
  ): Promise<void> => {
    const disabledReason = sshDisabledReason(machine)
    if (disabledReason !== null) {
      toast.notice(
        t('ssh.unreachable', { machine: machine.name, reason: t(`ssh.disabledReason.${disabledReason}`) }),
      )
      return
    }
    if (!(await ssh.userKnown(account, machine.id))) {
      ssh.askUser(account, machine, how)
      return
    }
    const opened = await ssh.connect(account, machine.id, how)
    if (opened) {
      const { terminal, session, failed } = opened
      const missing = ssh.newlyMissing(opened)
      const problem =
        failed !== null
          ? t('ssh.failed', { failed })
          : missing !== null && t('ssh.missing', { missing, terminal })
      if (problem) {
        toast.notice(problem, {
          label: t('common.navigation.settings'),
          act: () => void router.push({ name: 'settings', query: { section: 'terminal' } }),
        })
      } else if (session === null) toast.done(t('ssh.opened', { machine: machine.name, terminal }))
      if (session === null) return
      const show = (): Promise<void> => goTo(router, { page: 'terminals', session })
      if (isQuiet)
        toast.doneWith(t('creation.connected', { machine: machine.name }), {
          label: t('common.actions.show'),
          act: () => void show().catch(() => undefined),
        })
      else await show()
      return
    }
    const attempt = ssh.attempt(account, machine.id)
    // A user who refused a host key needs no explanation.
    if (attempt?.kind === 'failed' && attempt.failure.kind !== 'host-key-refused') {
      const show = bareMetal.find(account, machine.id) ? showBareMetal : showMachine
      await show(router, account, machine.id)
    }
  }
}
