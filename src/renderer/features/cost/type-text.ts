import { billing } from '#shared/messages/en/billing'
import { foreignText } from '../../components/foreign-text'
import { t, tPath } from '../../platform/i18n'

/** The words for a value of the service; an undescribed one is shown as it is. */
export const billingText = (kind: 'status' | 'resourceTypes' | 'chargeTypes', value: string | null): string =>
  value === null
    ? t('common.unknown')
    : Object.hasOwn(billing[kind], value)
      ? tPath(`billing.${kind}.${value}`)
      : foreignText(value)

export const typeText = (type: string | null): string => billingText('resourceTypes', type)
