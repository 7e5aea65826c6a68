import { computed, ref, shallowReactive } from 'vue'
import { followLocale, type Language, languages, messageLanguage, type Values } from '#shared/locale'
import type { en } from '#shared/messages/en/index'
import { first } from '#shared/messages/en/first'
import { formatMessage, messageAt, type MessageTree } from '#shared/messages/format'
import { translations } from '#shared/messages/translations'

/** Messages by language, reactive so that text on screen follows when more are loaded. */
const trees = shallowReactive(new Map<string, MessageTree>([[languages[0], first]]))
export function addMessages(language: string, messages: MessageTree): void {
  trees.set(language, { ...trees.get(language), ...messages })
}

/** A BCP 47 tag. Text is in the nearest language that has messages. */
const locale = ref<string>(languages[0])
followLocale(() => locale.value)

export function setLocale(tag: string): void {
  locale.value = tag
  document.documentElement.lang = tag
}

type Part = 'first' | 'later'

/** Loads a part of a language's messages. English has its first part in the first script. */
async function loadPart(language: Language, part: Part): Promise<MessageTree> {
  if (language !== 'en') return translations[language][part]()
  return part === 'first' ? first : import('#shared/messages/en/later').then(({ later }) => later)
}

const loading = new Map<string, Promise<void>>()
/** After a failure the next call tries again. */
function load(language: Language, part: Part): Promise<void> {
  const key = `${language} ${part}`
  const load =
    loading.get(key) ?? loadPart(language, part).then((messages) => addMessages(language, messages))
  loading.set(key, load)
  load.catch(() => loading.delete(key))
  return load
}

/** The locale that is being loaded, or the current one. */
let wanted: string = languages[0]
let needsLater = false
const isWhole = ref(false)
const languageOf = (tag: string): Language => messageLanguage(tag, languages)

/** Loads the messages that the first paint does not need. */
export async function laterMessages(): Promise<void> {
  needsLater = true
  await load(languageOf(wanted), 'later')
  isWhole.value = true
}

/** Loads the messages for the locale `tag`, then uses it. If they cannot be loaded, texts are in English. */
export async function useLanguage(tag: string): Promise<void> {
  wanted = tag
  const language = languageOf(tag)
  try {
    await load(language, 'first')
    if (needsLater) await load(language, 'later')
  } catch (error) {
    if (needsLater) await load('en', 'later').catch(() => undefined)
    throw error
  } finally {
    if (wanted === tag) setLocale(tag)
  }
}

/** Paths of all messages, so that a missing message does not compile. */
type Paths<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Key : `${Key}.${Paths<Tree[Key]>}`
}[keyof Tree & string]
export type MessagePath = Paths<typeof en>

/** The language of the texts on screen. */
export const currentLanguage = computed(() => languageOf(locale.value))

/** Looks up messages with a cache, because long lists use the same few. A new language or new messages clear it. */
const findMessage = computed(() => {
  const [own, fallback] = [trees.get(currentLanguage.value), trees.get(languages[0])]
  const cache = new Map<string, string | undefined>()
  return (path: string): string | undefined => {
    if (!cache.has(path)) cache.set(path, messageAt(own, path) ?? messageAt(fallback, path))
    return cache.get(path)
  }
})

function text(path: string, values: Values, count?: number): string {
  const message = findMessage.value(path)
  if (message !== undefined) return formatMessage(message, values, count)
  return isWhole.value ? path : ''
}

/** Returns the text at a path. `values` fill its braces; `count` picks the plural form and fills `{count}`. */
export const t = (path: MessagePath, values: Values = {}, count?: number): string => text(path, values, count)

/** Like `t`, for paths that the compiler cannot check (failure-text.ts). The value `count` picks the plural form. */
export const tPath = (path: string, values: Values = {}): string =>
  text(path, values, typeof values.count === 'number' ? values.count : undefined)
