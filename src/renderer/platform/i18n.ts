import { computed, ref, shallowReactive } from 'vue'
import { followLocale, languages, messageLanguage, type Values } from '#shared/locale'
import type { en } from '#shared/messages/en/index'
import { first } from '#shared/messages/en/first'
import { formatMessage, messageAt, type MessageTree } from '#shared/messages/format'

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

let loading: Promise<void> | undefined
const isWhole = ref(false)
/** Loads the messages that the first paint does not need. After a failure the next call tries again. */
export const laterMessages = (): Promise<void> =>
  (loading ??= import('#shared/messages/en/later').then(
    ({ later }) => {
      addMessages(languages[0], later)
      isWhole.value = true
    },
    (error: unknown) => {
      loading = undefined
      throw error
    },
  ))

/** Paths of all messages, so that a missing message does not compile. */
type Paths<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Key : `${Key}.${Paths<Tree[Key]>}`
}[keyof Tree & string]
export type MessagePath = Paths<typeof en>

/** Looks up messages with a cache, because long lists use the same few. A new language or new messages clear it. */
const findMessage = computed(() => {
  const language = messageLanguage(locale.value, [languages[0], ...trees.keys()])
  const [own, fallback] = [trees.get(language), trees.get(languages[0])]
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

/** Like `t`, for paths that the compiler cannot check (failure-text.ts). */
export const tPath = (path: string, values: Values = {}): string => text(path, values)
