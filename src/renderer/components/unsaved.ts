import { computed, onUnmounted, shallowReactive, type WritableComputedRef } from 'vue'

const forms = shallowReactive(new Set<() => boolean>())

/** Registers a form as unsaved while `isChanged` returns true, until its component is unmounted. */
export function useUnsaved(isChanged: () => boolean): void {
  forms.add(isChanged)
  onUnmounted(() => forms.delete(isChanged))
}

const allDrafts = shallowReactive(new Set<{ readonly size: number; clear(): void }>())

/** The user's input in one form. */
export interface KeptDraft<Draft> {
  /** The user's input, or the saved values. Replaced as a whole. */
  readonly draft: WritableComputedRef<Draft>
  readonly isChanged: () => boolean
  /** Resets the form to the saved values. */
  drop(): void
}

/**
 * Stores a form's input until it is saved, even if the user leaves the page. Not for secrets. The component calls the
 * returned function; `key` names the form, such as its account.
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

/** Drops the input of all forms. */
export const dropDrafts = (): void => allDrafts.forEach((drafts) => drafts.clear())

/** Checks whether a restart would lose the input of a form. */
export const hasUnsaved = (): boolean =>
  [...forms].some((isChanged) => isChanged()) || [...allDrafts].some((drafts) => drafts.size > 0)
