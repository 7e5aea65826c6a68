import { billing } from '#shared/messages/en/billing'
import { foreignText } from '../../components/foreign-text'
import { t, tPath } from '../../platform/i18n'

/** Returns the text for a value of the service. Undescribed values stay as they are. */
export const billingText = (kind: 'status' | 'resourceTypes' | 'chargeTypes', value: string | null): string =>
  value === null
    ? t('common.unknown')
    : Object.hasOwn(billing[kind], value)
      ? tPath(`billing.${kind}.${value}`)
      : foreignText(value)

export const typeText = (type: string | null): string => billingText('resourceTypes', type)
