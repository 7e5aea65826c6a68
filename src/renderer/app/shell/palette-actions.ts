import { nextTick } from 'vue'
import { useCopy } from '../../components/copy'
import { useToast } from '../../components/toast'
import { t } from '../../platform/i18n'

/** Wraps actions so that failures appear as toasts. `title` names the attempt. */
export function useAttempt() {
  const toast = useToast()
  return (title: string, act: () => Promise<unknown>) => () => toast.attempt(title, act)
}

export function useCopyField() {
  const copy = useCopy()
  return (field: 'address' | 'id', name: string, text: string) => ({
    title: t('common.palette.copyOf', {
      action: t(`common.palette.${field === 'address' ? 'copyAddress' : 'copyId'}`),
      name,
    }),
    run: () => copy.text(t(`machines.fields.${field}`), text),
  })
}

/** Focuses the content of the panel that was opened, so that the keyboard goes on there. */
export async function focusPanel(): Promise<void> {
  await nextTick()
  document.querySelector<HTMLElement>('aside [role=tabpanel]')?.focus()
}

/** Opens the list of the bell, once the palette is closed, with the focus on the bell. */
export async function showAlerts(): Promise<void> {
  await nextTick()
  const bell = document.querySelector<HTMLElement>('[popovertarget=alerts]')
  bell?.focus()
  bell?.click()
}
