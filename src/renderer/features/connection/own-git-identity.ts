import type { CallOutput } from '#shared/bridge/index'
import { useAction } from '../../components/action'
import { useToast } from '../../components/toast'
import { bridge } from '../../platform/bridge'
import { t } from '../../platform/i18n'

/** Takes the identity of git on this computer; says so where it has none, or where it was not taken. */
export function useOwnGitIdentity(take: (own: CallOutput<'ssh.ownGitIdentity'>) => void | Promise<void>) {
  const toast = useToast()
  const { busy, failure, run } = useAction('ssh.git.identity', async () => {
    const own = await bridge.call('ssh.ownGitIdentity', {})
    if (own.name === null && own.email === null) toast.notice(t('ssh.git.none'))
    else await take(own)
  })
  async function use(): Promise<void> {
    if (!(await run()) && failure.value) toast.failure(failure.value)
  }
  return { busy, use }
}
