import { nextTick } from 'vue'
import { formFields } from './draft'

/** Shows the first section of the form that has an error, and gives the focus to its field. */
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
