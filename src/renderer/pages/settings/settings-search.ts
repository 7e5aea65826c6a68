import { defineStore } from 'pinia'
import { computed, type ObjectDirective, ref, watchEffect } from 'vue'
import { searchText } from '#shared/locale'
import { t } from '../../platform/i18n'
import { type SectionId, type SettingId, settingsSections } from './settings-sections'

export const wordsOf = (query: string): readonly string[] => searchText(query).split(/\s+/).filter(Boolean)

export interface FoundSettings {
  readonly sections: ReadonlySet<SectionId>
  readonly settings: ReadonlySet<SettingId>
}

type Section = (typeof settingsSections)[number]
const descriptionOf = (item: Section | Section['settings'][number]): string =>
  'text' in item ? t(item.text) : ''

/** Returns hidden words that find a setting. */
export const synonymsOf = (setting: Section['settings'][number]): string =>
  t('also' in setting ? setting.also : `settings.also.${setting.id}`)

/** Returns the text that finds a section as a whole. */
const sectionText = (section: Section): string =>
  searchText(`${t(section.title)} ${descriptionOf(section)} ${t(`common.palette.also.${section.id}`)}`)
/** Returns the text that finds a setting: its title, description and synonyms, and the title of its section. */
const settingText = (section: Section, setting: Section['settings'][number]): string =>
  searchText(`${t(setting.title)} ${descriptionOf(setting)} ${synonymsOf(setting)} ${t(section.title)}`)

/**
 * Finds the settings whose text has every word of the query. If a section has settings of its own that match, only these
 * are shown; if only the section matches, all its settings are.
 */
export function findSettings(query: string): FoundSettings {
  const words = wordsOf(query)
  const hasWords = (text: string): boolean => words.every((word) => text.includes(word))
  const sections = new Set<SectionId>()
  const settings = new Set<SettingId>()
  for (const section of settingsSections) {
    const all: readonly Section['settings'][number][] = section.settings
    const isWhole = hasWords(searchText(t(section.title)))
    const matching = isWhole ? all : all.filter((setting) => hasWords(settingText(section, setting)))
    const isFound = hasWords(sectionText(section))
    if (matching.length === 0 && !isFound) continue
    sections.add(section.id)
    for (const { id } of matching.length > 0 ? matching : all) settings.add(id)
  }
  return { sections, settings }
}

/** The query of the settings page, and the settings that it shows. */
export const useSettingsSearch = defineStore('settings-search', () => {
  const query = ref('')
  const found = computed(() => findSettings(query.value))
  return { query, found }
})

const stops = new WeakMap<HTMLElement, () => void>()

/** Names the element of a setting, for links and the search, and hides it while the search does not find it. */
export const vSetting: ObjectDirective<HTMLElement, SettingId> = {
  mounted(element, { value }) {
    const search = useSettingsSearch()
    element.dataset.setting = value
    const stop = watchEffect(() => {
      element.hidden = !search.found.settings.has(value)
    })
    stops.set(element, stop)
  },
  unmounted: (element) => stops.get(element)?.(),
}

/** Returns the ranges of the visible text under `root` that match a word. */
export function matchRanges(root: Node, words: readonly string[]): Range[] {
  const ranges: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const original = node.nodeValue ?? ''
    const text = searchText(original)
    // Some letters change their length in lower case, and their positions are unknown then.
    if (text.length !== original.length || node.parentElement?.closest('[hidden], option')) continue
    for (const word of words) {
      for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + word.length)
        ranges.push(range)
      }
    }
  }
  return ranges
}
