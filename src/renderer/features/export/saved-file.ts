import { useToast } from '../../components/toast'
import { bridge } from '../../platform/bridge'
import { t } from '../../platform/i18n'

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
