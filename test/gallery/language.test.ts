// @vitest-environment happy-dom
import './fake-main'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { h, ref, type VNodeChild } from 'vue'
import type { ApiTokenView } from '#shared/bridge/api-token'
import { en } from '#shared/messages/en/index'
import { volumeNamed } from '../../src/renderer/features/volumes/volume.fixture'
import { addMessages, setLocale } from '../../src/renderer/platform/i18n'
import { entries } from './entries'
import { mounted, type Mounted } from './mounted'
import { draw, type GalleryState } from './state'
import { account, accountView, now } from './world'

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
/** Every word that a person sees or is read to. */
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

// Loaded when they are shown: the bridge of the window has to be there before.
const pages = import.meta.glob<{ readonly default: object }>([
  '../../src/renderer/pages/*/*Page.vue',
  '../../src/renderer/pages/*/{Token,Volume}Panel.vue',
])
const token: ApiTokenView = {
  ...{ id: 't-1', name: 'ci', description: null, createdAt: now, lastUsed: 0, hasValue: true, inUse: false },
}
const propertiesOf: Readonly<Record<string, object>> = {
  'pages/create/CreatePage.vue': { kind: 'machine' },
  'pages/api-tokens/TokenPanel.vue': { account: accountView(), token },
  'pages/volumes/VolumePanel.vue': { account, volume: volumeNamed('data'), deletion: 'offered' },
}
type Cases = Readonly<Record<string, GalleryState | GalleryState['render']>>
const subjects: readonly (readonly [string, () => Promise<Cases>])[] = [
  ...entries.map(({ name, states }) => [name, () => Promise.resolve(states)] as const),
  ...Object.entries(pages).map(([file, load]) => {
    const name = file.replace('../../src/renderer/', '')
    const cases = async (): Promise<Cases> => {
      const { default: page } = await load()
      return { page: () => draw(page, propertiesOf[name] ?? {}) }
    }
    return [name, cases] as const
  }),
]

/** Runs what waits for less than half a second, at the same time of the day. */
async function rest(window: Mounted): Promise<void> {
  const at = Date.now()
  vi.advanceTimersByTime(500)
  vi.setSystemTime(at)
  await window.settled()
}

/** Old words that are left in a state after the language has changed. */
async function leftOf({ render, handlers, act }: GalleryState): Promise<readonly string[]> {
  setLocale('en')
  const key = ref(0)
  const drawn = (): VNodeChild => h('div', { key: key.value }, [render()])
  const window = await mounted(drawn, handlers)
  const begin = async () => {
    await act?.(document.body)
    // A chart comes when its code is there.
    await vi.dynamicImportSettled()
    await window.settled()
    await rest(window)
  }
  try {
    await begin()
    setLocale('de')
    await window.settled()
    await rest(window)
    const changed = words()
    // As it reads where it is opened in that language.
    key.value += 1
    await window.settled()
    await begin()
    const opened = new Set(words())
    return changed.filter((text) => !opened.has(text))
  } finally {
    window.unmount()
  }
}

describe('a change of language while it is shown', () => {
  beforeAll(() => {
    const messages = structuredClone(en)
    doubleAll(messages)
    addMessages('de', messages)
    // Ages on screen stand still; what waits for a zoom to rest is there in both languages.
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  })
  afterAll(() => {
    setLocale('en')
    vi.useRealTimers()
  })

  it.each(subjects)('leaves no old words in %s', async (_name, load) => {
    const left: Record<string, readonly string[]> = {}
    for (const [name, state] of Object.entries(await load())) {
      const found = await leftOf(typeof state === 'function' ? { render: state } : state)
      if (found.length > 0) left[name] = found
    }
    expect(left).toEqual({})
  })
})
