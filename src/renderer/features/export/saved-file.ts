import { useToast } from '../../components/toast'
import { bridge } from '../../platform/bridge'
import { t } from '../../platform/i18n'

/** Reports the file that a job saved, with a button that shows it in its folder. */
export function useSavedFile() {
  const toast = useToast()
  return {
    show(text: string, job: string): void {
      const label = t('exports.showInFolder')
      const act = () => void toast.attempt(label, () => bridge.call('export.show', { job }))
      toast.doneWith(text, { label, act })
    },
  }
}
