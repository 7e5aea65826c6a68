import type { ApiTokenView } from '#shared/bridge/api-token'
import { limits } from '#shared/service/limits'
import { t } from '../../platform/i18n'
import { ago } from '../../platform/time'

/** Returns the time of the last use as text; `now` in epoch seconds. */
export function lastUsedText({ lastUsed }: ApiTokenView, now: number): string {
  if (lastUsed === null) return t('common.unknown')
  return lastUsed === 0 ? t('apiTokens.never') : ago(lastUsed, now)
}

/** Returns the error of a typed name, or null. */
export function nameProblem(name: string): string | null {
  const length = name.trim().length
  if (length === 0) return t('failures.invalid.required')
  return length > limits.apiTokenName
    ? `${t('failures.invalid.too-long')} ${t('apiTokens.create.nameHint', { limit: limits.apiTokenName })}`
    : null
}
