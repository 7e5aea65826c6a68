import { onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineKind } from '#shared/bridge/catalog'
import type { MachineDraft } from '#shared/bridge/creation'
import { bridge } from '../../platform/bridge'
import { t } from '../../platform/i18n'
import { useToast } from '../../components/toast'
import { useLocalStore } from '../../stores/local-store'
import { emptyDraft } from './draft'

/** Delay between the user's input and its transfer to the main process. */
const saveDelayMs = 150

/** The draft of the form. The main process stores it while the user types, until it is sent. */
export function useDraft(account: AccountId, kind: MachineKind) {
  const toast = useToast()
  const draft = ref<MachineDraft>(emptyDraft())
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStoring = false
  let isChanged = false
  const saved = ref(false)
  const replaced = shallowRef<MachineDraft | null>(null)
  let storedRequest = ''

  /** Loads the replaced draft; the form works without it. */
  const readReplaced = (): Promise<void> =>
    bridge.call('creation.replacedDraft', { account, kind }).then(
      (stored) => void (replaced.value = stored),
      () => undefined,
    )
  function store(): void {
    clearTimeout(timer)
    timer = undefined
    const current = draft.value
    bridge
      .call('creation.keepDraft', { account, kind, draft: { ...current } })
      .then(() => (saved.value = isChanged && current === draft.value))
      .catch((error: unknown) => toast.failed(error, t('creation.draft.saving')))
    if (current.request !== storedRequest) void readReplaced()
    storedRequest = current.request
  }
  /** Stores the last input before the window closes. */
  const flush = (): void => {
    if (timer !== undefined) store()
  }
  watch(draft, () => {
    if (isStoring) timer ??= setTimeout(store, saveDelayMs)
  })
  const leaveEvents = ['pagehide', 'beforeunload', 'blur'] as const
  for (const name of leaveEvents) window.addEventListener(name, flush)
  document.addEventListener('visibilitychange', flush)
  onScopeDispose(() => {
    for (const name of leaveEvents) window.removeEventListener(name, flush)
    document.removeEventListener('visibilitychange', flush)
    flush()
  })
  // Drafts of earlier runs become available when the store opens.
  watch(() => useLocalStore().state, readReplaced)

  return {
    draft,
    saved,
    replaced,
    restore(): void {
      if (!replaced.value) return
      draft.value = replaced.value
      store()
    },
    change(changes: Partial<MachineDraft>): void {
      isChanged = true
      saved.value = false
      draft.value = { ...draft.value, ...changes }
    },
    /** Starts with the stored draft, changed by `initial` if given; `fill` fills its empty fields. */
    async start(
      initial: ((stored: MachineDraft) => MachineDraft) | null,
      fill = (begun: MachineDraft): MachineDraft => begun,
    ): Promise<void> {
      const stored = (await bridge.call('creation.draft', { account, kind })) ?? emptyDraft()
      draft.value = fill(initial ? initial(stored) : stored)
      isStoring = true
      storedRequest = stored.request
      if (initial) store()
      else await readReplaced()
    },
    /** Stores the draft for the last time before it is sent; the main process drops it after success. */
    hold(): void {
      store()
      isStoring = false
    },
    goOn(): void {
      isStoring = true
    },
  }
}
