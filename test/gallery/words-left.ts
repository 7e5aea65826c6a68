import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { h, ref, type VNodeChild } from 'vue'
import { en } from '#shared/messages/en/index'
import { addMessages, setLocale } from '../../src/renderer/platform/i18n'
import { mounted, type Mounted } from './mounted'
import type { GalleryState } from './state'

type Cases = Readonly<Record<string, GalleryState | GalleryState['render']>>
/** A component by its file, and its states. */
export type Subject = readonly [name: string, states: () => Promise<Cases>]

/** An entry of the gallery with all its states. */
export const statesOf = ({ name, states }: { readonly name: string; readonly states: Cases }): Subject => [
  name,
  () => Promise.resolve(states),
]

/** Messages of another language: each letter doubled, braces and plural forms kept. */
const doubled = (text: string): string =>
  text.replace(/\{[^}]*\}|@:\S+|[a-z]/gi, (part) => (part.length === 1 ? part + part : part))
function doubleAll(messages: object): void {
  for (const name of Object.keys(messages)) {
    const one: unknown = Reflect.get(messages, name)
    if (typeof one === 'string') Reflect.set(messages, name, doubled(one))
    else if (typeof one === 'object' && one !== null) doubleAll(one)
  }
}

const read = ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext', 'aria-description']
/** Every text on screen or for screen readers. */
function words(): readonly string[] {
  const found: string[] = []
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const { currentNode: node } = walk
    if (node instanceof Element) {
      if (/^(STYLE|SCRIPT)$/.test(node.tagName)) continue
      found.push(...read.map((name) => node.getAttribute(name) ?? ''))
    } else if (!/^(STYLE|SCRIPT)$/.test(node.parentElement?.tagName ?? '')) found.push(node.textContent ?? '')
  }
  return found.map((text) => text.trim()).filter((text) => text !== '')
}

/** Runs timers shorter than half a second, at the same time of the day. */
async function rest(window: Mounted): Promise<void> {
  const at = Date.now()
  vi.advanceTimersByTime(500)
  vi.setSystemTime(at)
  await window.settled()
}

/** Characters that make a text look like another, or are no text. */
const harmful = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/u

/** Old texts that remain in a state after the language has changed, and texts without a guard (foreign-text.ts). */
async function wrongIn({ render, handlers, act }: GalleryState): Promise<readonly string[]> {
  setLocale('en')
  const key = ref(0)
  const drawn = (): VNodeChild => h('div', { key: key.value }, [render()])
  const window = await mounted(drawn, handlers)
  const begin = async () => {
    await act?.(document.body)
    // A chart appears when its code is loaded.
    await vi.dynamicImportSettled()
    await window.settled()
    await rest(window)
  }
  try {
    await begin()
    setLocale('de')
    // The guide loads its pages in the language.
    await vi.dynamicImportSettled()
    await window.settled()
    await rest(window)
    const changed = words()
    // The text after opening it in that language.
    key.value += 1
    await window.settled()
    await begin()
    const opened = new Set(words())
    return changed.filter((text) => !opened.has(text) || harmful.test(text))
  } finally {
    window.unmount()
  }
}

/** Tests that change the language while `subjects` are mounted. */
export const describeLanguage = (subjects: readonly Subject[]) =>
  describe('a change of language while it is shown', () => {
    beforeAll(() => {
      const messages = structuredClone(en)
      doubleAll(messages)
      addMessages('de', messages)
      // Ages on screen don't change; both languages have the content that waits for the end of a zoom.
      vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    })
    afterAll(() => {
      setLocale('en')
      vi.useRealTimers()
    })

    it.each(subjects)(
      'leaves no old words in %s, and none as somebody else wrote them',
      async (_name, load) => {
        const wrong: Record<string, readonly string[]> = {}
        for (const [name, state] of Object.entries(await load())) {
          const found = await wrongIn(typeof state === 'function' ? { render: state } : state)
          if (found.length > 0) wrong[name] = found
        }
        expect(wrong).toEqual({})
      },
    )
  })
