/**
 * Returns the locales of the environment as BCP 47 tags, in the order in which programs read them: LANGUAGE (a list of
 * GNU), LC_ALL, LC_MESSAGES, LANG. `C` means no language.
 */
export function environmentLocales({
  LANGUAGE,
  LC_ALL,
  LC_MESSAGES,
  LANG,
}: NodeJS.ProcessEnv): readonly string[] {
  const first = LC_ALL || LC_MESSAGES || LANG || ''
  if (/^(?:C|POSIX)(?:\.|$)/.test(first)) return []
  return [...(LANGUAGE ?? '').split(':'), first]
    .map((name) => name.replace(/[.@].*$/, '').replaceAll('_', '-'))
    .filter((tag) => tag !== '')
}
