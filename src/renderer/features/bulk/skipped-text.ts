import { t } from '../../platform/i18n'

/** Named where there are few: a list of hundreds says less than its number. */
const named = 3

/** What is left out of something done to many, grouped by its reason, the largest group first. */
export function skippedText(
  skipped: readonly { readonly name: string; readonly reason: string }[],
): string[] {
  const groups = new Map<string, string[]>()
  for (const { name, reason } of skipped) groups.set(reason, [...(groups.get(reason) ?? []), name])
  return [...groups]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([reason, names]) => {
      const words = { count: names.length, reason, names: names.join(', ') }
      return names.length > named ? t('common.many.skipped', words) : t('common.many.skippedNamed', words)
    })
}
