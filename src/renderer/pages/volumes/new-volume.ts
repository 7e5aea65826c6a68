import { limits } from '#shared/service/limits'
import { NewVolume } from '#shared/service/volume'
import { formatCount } from '#shared/locale'
import { currencyCode } from '#shared/money/money'
import { t } from '../../platform/i18n'

export interface VolumeDraft {
  readonly name: string
  readonly size: string
  readonly region: string
  readonly type: string
  readonly image: string
  readonly description: string
  readonly currency: string
}

export const emptyDraft: VolumeDraft = {
  name: '',
  size: '',
  region: '',
  type: '',
  image: '',
  description: '',
  currency: '',
}

/** Returns the body of POST /volumes and the errors by field, according to the bridge's schema. */
export function volumeOf(draft: VolumeDraft): {
  readonly volume: NewVolume | null
  readonly wrong: ReadonlyMap<string, string>
} {
  const optional = (text: string) => text.trim() || undefined
  const code = currencyCode(draft.currency)
  const oddCurrency = draft.currency.trim() !== '' && code === null
  const parsed = NewVolume.safeParse({
    display_name: draft.name.trim(),
    region_id: draft.region,
    type_id: draft.type.trim(),
    size: /^\d{1,12}$/.test(draft.size.trim()) ? Number(draft.size.trim()) : undefined,
    image_id: optional(draft.image),
    description: optional(draft.description),
    payment_currency: code ?? undefined,
  })
  const wrong = new Map(
    (parsed.error?.issues ?? []).map(({ path, code: kind }) => [
      String(path[0]),
      errorText(String(path[0]), kind),
    ]),
  )
  if (oddCurrency) wrong.set('payment_currency', t('volumes.wrong.currencyCode'))
  return { volume: parsed.success && !oddCurrency ? parsed.data : null, wrong }
}

function errorText(field: string, code: string): string {
  if (field === 'size') return t('volumes.wrong.size', { max: formatCount(limits.volumeSize.max) })
  return code === 'too_big'
    ? t('volumes.wrong.tooLong', { limit: limits.volumeDisplayName })
    : t('volumes.wrong.required')
}
