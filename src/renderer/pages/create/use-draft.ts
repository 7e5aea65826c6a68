import { onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineKind } from '#shared/bridge/catalog'
import type { MachineDraft } from '#shared/bridge/creation'
import { bridge } from '../../platform/bridge'
import { t } from '../../platform/i18n'
import { useToast } from '../../components/toast'
import { useLocalStore } from '../../stores/local-store'
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
  /** What was typed before another draft took its place, if anything. */
  const replaced = shallowRef<MachineDraft | null>(null)
  let lastKept = ''

  /** A help, not a need. */
  const readReplaced = (): Promise<void> =>
    bridge.call('creation.replacedDraft', { account, kind }).then(
      (found) => void (replaced.value = found),
      () => undefined,
    )
  function keep(): void {
    clearTimeout(timer)
    timer = undefined
    const typed = draft.value
    bridge
      .call('creation.keepDraft', { account, kind, draft: { ...typed } })
      .then(() => (saved.value = changed && typed === draft.value))
      .catch((error: unknown) => toast.failed(error, t('creation.draft.saving')))
    if (typed.request !== lastKept) void readReplaced()
    lastKept = typed.request
  }
  /** What is typed just before the window goes is kept too. */
  const flush = (): void => {
    if (timer !== undefined) keep()
  }
  watch(draft, () => {
    if (keeping) timer ??= setTimeout(keep, pause)
  })
  const leavings = ['pagehide', 'beforeunload', 'blur'] as const
  for (const leaving of leavings) window.addEventListener(leaving, flush)
  document.addEventListener('visibilitychange', flush)
  onScopeDispose(() => {
    for (const leaving of leavings) window.removeEventListener(leaving, flush)
    document.removeEventListener('visibilitychange', flush)
    flush()
  })
  // Drafts of earlier runs come in when the store opens.
  watch(() => useLocalStore().state, readReplaced)

  return {
    draft,
    saved,
    replaced,
    /** Takes up the draft that was replaced last; the present one takes its place. */
    restore(): void {
      if (!replaced.value) return
      draft.value = replaced.value
      keep()
    },
    change(changes: Partial<MachineDraft>): void {
      changed = true
      saved.value = false
      draft.value = { ...draft.value, ...changes }
    },
    /** Begins with what was kept, or with what `first` makes of it where that is given; `fill` chooses what is open. */
    async start(
      first: ((kept: MachineDraft) => MachineDraft) | null,
      fill = (begun: MachineDraft): MachineDraft => begun,
    ): Promise<void> {
      const kept = (await bridge.call('creation.draft', { account, kind })) ?? emptyDraft()
      draft.value = fill(first ? first(kept) : kept)
      keeping = true
      lastKept = kept.request
      if (first) keep()
      else await readReplaced()
    },
    /** It is being sent, and kept with its request: from then on it is the main process's to drop. */
    hold(): void {
      keep()
      keeping = false
    },
    /** It was not accepted: the form stays open. */
    goOn(): void {
      keeping = true
    },
  }
}
