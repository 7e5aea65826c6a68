import { onScopeDispose, watch } from 'vue'

/**
 * Reports to the main process what the window shows for as long as it does, so that it is read again and again until
 * then; `subject` is null while nothing is to be read.
 */
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
    // Without an answer the page stands as it is, and shows its age.
    const send = (one: Subject, looking: boolean) => void look(one, looking).catch(console.error)
    if (before) send(before.subject, false)
    if (next !== null) send(next, true)
  }
  watch(subject, change, { immediate: true })
  onScopeDispose(() => change(null))
}
