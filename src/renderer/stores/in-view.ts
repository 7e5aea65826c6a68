import { onScopeDispose, watch } from 'vue'

/** Reports a subject to main while it is in view, so that main keeps reading it. Null: nothing is in view. */
export function useLooking<Subject>(
  subject: () => Subject | null,
  look: (subject: Subject, looking: boolean) => Promise<unknown>,
): void {
  let present: { readonly subject: Subject; readonly key: string } | null = null
  function change(next: Subject | null): void {
    const key = next === null ? '' : JSON.stringify(next)
    if ((present?.key ?? '') === key) return
    const before = present
    present = next === null ? null : { subject: next, key }
    // After a failure the page shows its data with their age.
    const send = (about: Subject, looking: boolean) => void look(about, looking).catch(console.error)
    if (before) send(before.subject, false)
    if (next !== null) send(next, true)
  }
  watch(subject, change, { immediate: true })
  onScopeDispose(() => change(null))
}
