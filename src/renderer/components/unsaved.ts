import { computed, onUnmounted, shallowReactive, type WritableComputedRef } from 'vue'

const forms = shallowReactive(new Set<() => boolean>())

/** From here on, while its component is shown, a form counts as unsaved whenever `isChanged` says so. */
export function useUnsaved(isChanged: () => boolean): void {
  forms.add(isChanged)
  onUnmounted(() => forms.delete(isChanged))
}

const allDrafts = shallowReactive(new Set<{ readonly size: number; clear(): void }>())

/** What is typed into one form. */
export interface KeptDraft<Draft> {
  /** What is shown: what was typed, else what is saved. Replaced as a whole. */
  readonly draft: WritableComputedRef<Draft>
  readonly isChanged: () => boolean
  /** Shows what is saved again. */
  drop(): void
}

/**
 * Keeps what is typed into a form until it is saved, also while its page is not shown. Nothing secret belongs in it.
 * The returned function is called by the component: `key` names the form, such as its account.
 */
export function keptDrafts<Draft>(): (key: () => string, saved: () => Draft) => KeptDraft<Draft> {
  const drafts = shallowReactive(new Map<string, Draft>())
  allDrafts.add(drafts)
  return (key, saved) => {
    const isSaved = (draft: Draft): boolean => JSON.stringify(draft) === JSON.stringify(saved())
    const drop = (): void => void drafts.delete(key())
    return {
      draft: computed({
        get: () => drafts.get(key()) ?? saved(),
        set: (draft) => (isSaved(draft) ? drop() : void drafts.set(key(), draft)),
      }),
      isChanged: () => {
        const draft = drafts.get(key())
        return draft !== undefined && !isSaved(draft)
      },
      drop,
    }
  }
}

/** Drops what is typed into all forms, as a new window does. */
export const dropDrafts = (): void => allDrafts.forEach((drafts) => drafts.clear())

/** Whether a form holds what would be lost by a restart. */
export const hasUnsaved = (): boolean =>
  [...forms].some((isChanged) => isChanged()) || [...allDrafts].some((drafts) => drafts.size > 0)
