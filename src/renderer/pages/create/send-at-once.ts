import { onScopeDispose, ref, type Ref } from 'vue'
import type { FlavorView } from '#shared/bridge/catalog'
import type { MachineDraft } from '#shared/bridge/creation'
import { formatRate } from '#shared/money/format-money'
import type { Money } from '#shared/money/money'
import { t } from '../../platform/i18n'
import { useTemplates } from '../../stores/templates'

/** Sends the form of a template at once if the user chose that with its price, and nothing is left to answer. */
export function useSendAtOnce({
  form,
  draft,
  flavor,
  currencyAssumed,
  questions,
  volumesRead,
  submit,
}: {
  /** Id of the form; undefined if no click opened it. */
  readonly form: string | undefined
  readonly draft: Readonly<Ref<MachineDraft>>
  readonly flavor: Readonly<Ref<FlavorView | null>>
  readonly currencyAssumed: Readonly<Ref<boolean>>
  /** Questions of the template that the user has not answered. */
  readonly questions: Readonly<Ref<readonly string[]>>
  /** Resolves when the volumes are read, or can't be read. */
  volumesRead(): Promise<boolean>
  /** Sends the form at this price per hour, or shows its problems if `price` is null. */
  submit(price: Money | null): Promise<void>
}) {
  const seen = form === undefined ? null : useTemplates().takeWish(form)
  /** Why the form was not sent at once; null if it was, or should not be. */
  const doubt = ref<string | null>(null)
  let isWished = seen !== null
  let hasLeft = false
  onScopeDispose(() => (hasLeft = true))

  function priceDoubt(price: Money): string | null {
    const now = flavor.value?.price
    if (!now || currencyAssumed.value) return t('templates.oneClick.priceUnknown')
    return now.millionths === price.millionths && now.currency === price.currency
      ? null
      : t('templates.oneClick.priceChanged', { price: formatRate(price), now: formatRate(now) })
  }
  async function run(): Promise<void> {
    if (!isWished || !seen) return
    isWished = false
    const shown = JSON.stringify(draft.value)
    const { plan } = draft.value
    const areVolumesRead = (plan?.volumes.length ?? 0) === 0 || (await volumesRead())
    // The user may already edit the form.
    if (hasLeft || !plan || JSON.stringify(draft.value) !== shown) return
    if (flavor.value) doubt.value = priceDoubt(seen)
    if (!areVolumesRead) doubt.value ??= t('templates.oneClick.volumesUnread')
    await submit(doubt.value === null && questions.value.length === 0 ? seen : null)
  }
  return { doubt, run }
}
