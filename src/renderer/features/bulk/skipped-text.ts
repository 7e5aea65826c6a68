import { t } from '../../platform/i18n'

const maxNames = 3

/** Describes the skipped items of a bulk action by reason, largest group first. */
export function skippedText(
  skipped: readonly { readonly name: string; readonly reason: string }[],
): string[] {
  const groups = new Map<string, string[]>()
  for (const { name, reason } of skipped) groups.set(reason, [...(groups.get(reason) ?? []), name])
  return [...groups]
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([reason, names]) => {
      const values = { count: names.length, reason, names: names.join(t('common.listSeparator')) }
      return t(names.length > maxNames ? 'common.many.skipped' : 'common.many.skippedNamed', values)
    })
}
