import { useToast } from '../../components/toast'
import { bridge } from '../../platform/bridge'
import { t } from '../../platform/i18n'

/** Says that a job has saved a file, and offers to show it in its folder. */
export function useSavedFile() {
  const toast = useToast()
  const act = (job: string): void =>
    void bridge
      .call('export.show', { job })
      .catch((error: unknown) => toast.failed(error, t('exports.showInFolder')))
  return {
    show: (text: string, job: string): void =>
      toast.doneWith(text, { label: t('exports.showInFolder'), act: () => act(job) }),
  }
}
