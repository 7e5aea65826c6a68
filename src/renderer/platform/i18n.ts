import { computed, ref, shallowReactive } from 'vue'
import { followLocale, languages, messageLanguage, type Values } from '#shared/locale'
import type { en } from '#shared/messages/en/index'
import { first } from '#shared/messages/en/first'
import { formatMessage, messageAt, type MessageTree } from '#shared/messages/format'

/** By language. Reactive, so that what is shown follows when more come. */
const trees = shallowReactive(new Map<string, MessageTree>([[languages[0], first]]))
export function addMessages(language: string, messages: MessageTree): void {
  trees.set(language, { ...trees.get(language), ...messages })
}

/** A BCP 47 tag: everything on screen is of it, or of the nearest language that there are messages in. */
const locale = ref<string>(languages[0])
followLocale(() => locale.value)

/** At run time too: what is shown changes at once. */
export function setLocale(tag: string): void {
  locale.value = tag
  document.documentElement.lang = tag
}

let loading: Promise<void> | undefined
const isWhole = ref(false)
/**
 * The messages that no first paint shows: asked for by the pages that need them, and once the window rests. Where they
 * could not be loaded, the next who needs them asks again.
 */
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

/** The paths of all messages, so that a missing message does not compile. */
type Paths<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Key : `${Key}.${Paths<Tree[Key]>}`
}[keyof Tree & string]
export type MessagePath = Paths<typeof en>

/** Finds each message once, until the language or the messages are others: a long list asks for the same few. */
const findMessage = computed(() => {
  const language = messageLanguage(locale.value, [languages[0], ...trees.keys()])
  const [own, fallback] = [trees.get(language), trees.get(languages[0])]
  const found = new Map<string, string | undefined>()
  return (path: string): string | undefined => {
    if (!found.has(path)) found.set(path, messageAt(own, path) ?? messageAt(fallback, path))
    return found.get(path)
  }
})

function text(path: string, values: Values, count?: number): string {
  const message = findMessage.value(path)
  if (message !== undefined) return formatMessage(message, values, count)
  return isWhole.value ? path : ''
}

/** The words at a path. `values` fill its braces; `count` picks the plural form and is also the value `count`. */
export const t = (path: MessagePath, values: Values = {}, count?: number): string => text(path, values, count)

/** For paths that are put together elsewhere (failure-text.ts). */
export const tPath = (path: string, values: Values = {}): string => text(path, values)
