import { onScopeDispose, ref, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineKind } from '#shared/bridge/catalog'
import type { MachineDraft } from '#shared/bridge/creation'
import { bridge } from '../../platform/bridge'
import { t } from '../../platform/i18n'
import { useToast } from '../../components/toast'
import { emptyDraft } from './draft'

/** Milliseconds between what is typed and its way to the main process. */
const pause = 150

/** What is typed into the form: kept by the main process as it is typed, until it is sent. */
export function useDraft(account: AccountId, kind: MachineKind) {
  const toast = useToast()
  const draft = ref<MachineDraft>(emptyDraft())
  let timer: ReturnType<typeof setTimeout> | undefined
  let keeping = false
  let changed = false
  /** What is typed now has been written. */
  const saved = ref(false)

  function keep(): void {
    clearTimeout(timer)
    timer = undefined
    const typed = draft.value
    bridge
      .call('creation.keepDraft', { account, kind, draft: { ...typed } })
      .then(() => (saved.value = changed && typed === draft.value))
      .catch((error: unknown) => toast.failed(error, t('creation.draft.saving')))
  }
  watch(draft, () => {
    if (keeping) timer ??= setTimeout(keep, pause)
  })
  onScopeDispose(() => {
    if (timer !== undefined) keep()
  })

  return {
    draft,
    saved,
    change(changes: Partial<MachineDraft>): void {
      changed = true
      saved.value = false
      draft.value = { ...draft.value, ...changes }
    },
    /** Begins with what was kept, or with what `first` makes of it where that is given. */
    async start(first: ((kept: MachineDraft) => MachineDraft) | null): Promise<void> {
      const kept = (await bridge.call('creation.draft', { account, kind })) ?? emptyDraft()
      draft.value = first ? first(kept) : kept
      keeping = true
      if (first) keep()
    },
    /** It is being sent, and kept with its request: from then on it is the main process's to drop. */
    hold(): void {
      keep()
      keeping = false
    },
    /** It was not accepted: the person goes on. */
    goOn(): void {
      keeping = true
    },
  }
}
