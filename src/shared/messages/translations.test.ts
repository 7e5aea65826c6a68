import { describe, expect, it } from 'vitest'
import { en } from './en/index'
import type { MessageTree } from './format'
import { translations } from './translations'

/** Languages without a plural: a message needs one form where English has two. */
const hasPlural = (language: string): boolean =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories.length > 1

const leavesOf = (tree: MessageTree, path = ''): readonly (readonly [path: string, text: string])[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as const] : leavesOf(value, `${path}${key}.`),
  )
const placeholders = (text: string): string => [...new Set(text.match(/\{\w+\}/g))].toSorted().join(' ')
const formsOf = (text: string): number => text.split(' | ').length

describe.each(Object.entries(translations))('the messages in %s', (language, { first, later }) => {
  it('have the keys, placeholders and plural forms of the English ones', async () => {
    const english = new Map(leavesOf(en))
    const wrong: string[] = []
    for (const [path, text] of leavesOf({ ...(await first()), ...(await later()) })) {
      const original = english.get(path)
      english.delete(path)
      if (original === undefined) {
        wrong.push(`${path}: not in English`)
        continue
      }
      // A form may leave out the number, as "One machine" does.
      if (placeholders(text).replace('{count}', '') !== placeholders(original).replace('{count}', ''))
        wrong.push(`${path}: ${placeholders(original)} in English, ${placeholders(text)} here`)
      const forms = formsOf(original)
      if (formsOf(text) !== (forms === 2 && !hasPlural(language) ? 1 : forms))
        wrong.push(`${path}: ${String(forms)} forms in English, ${String(formsOf(text))} here`)
      if (text.trim() === '' && original.trim() !== '') wrong.push(`${path}: empty`)
    }
    expect([...wrong, ...[...english.keys()].map((path) => `${path}: missing`)]).toEqual([])
  })
})
