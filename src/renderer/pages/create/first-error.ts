import { nextTick } from 'vue'
import { formFields } from './draft'

/** Scrolls to the first section with an error and focuses its field. */
export async function showFirstError(
  form: HTMLFormElement | null,
  errorAt: (field: (typeof formFields)[number]) => string | null,
): Promise<void> {
  await nextTick()
  const first = formFields.find((field) => errorAt(field) !== null)
  const section = form?.querySelector<HTMLElement>(`[data-field~='${first ?? ''}']`)
  section?.scrollIntoView({ block: 'nearest' })
  const field =
    section?.querySelector<HTMLElement>('input[aria-invalid=true], textarea[aria-invalid=true]') ??
    section?.querySelector<HTMLElement>('input:not([disabled]), select, button')
  field?.focus()
}
