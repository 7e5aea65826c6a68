import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '../../src/renderer/platform/base.css'
import './gallery.css'
import { createApp, watchEffect } from 'vue'
import { loadEngine } from '../../src/renderer/components/charts/load-engine'
import { cssVariables } from '../../src/renderer/platform/theme'
import { useApp } from '../../src/renderer/stores/app'
import { entries } from './entries'
import { mountState, problems, sharedPinia } from './stage'

// Dialogs, menus and popovers are in their stage, all open at once, instead of above the window one at a time.
HTMLDialogElement.prototype.showModal = function show() {
  this.show()
}
HTMLElement.prototype.showPopover = function show() {
  this.dataset.shown = ''
}

const app = createApp({ render: () => null }).use(sharedPinia)
app.runWithContext(() =>
  watchEffect(() => {
    const { theme } = useApp()
    const { style } = document.documentElement
    for (const [name, value] of Object.entries(cssVariables(theme))) style.setProperty(name, value)
    style.colorScheme = theme
  }),
)

console.error = (...words: readonly unknown[]) => {
  problems.push(words.map((word) => (word instanceof Error ? word.message : String(word))).join(' '))
}

// Showing or hiding the window makes no state read again: the bridge then serves another state.
for (const event of ['visibilitychange', 'focus', 'blur'])
  addEventListener(event, (one) => one.target instanceof Element || one.stopImmediatePropagation(), true)

// Temporary states stay: timers longer than this never fire here.
const patience = 900
const { setTimeout: wait } = window
const inTime = (handler: TimerHandler, delay?: number, ...input: unknown[]): number =>
  (delay ?? 0) < patience ? wait(handler, delay, ...input) : 0
Object.defineProperty(window, 'setTimeout', { value: inTime })

/** In pixels, as in gallery.css; wider states are below the columns. */
const columnWidth = 424

/**
 * Mounts every state, or with `?only=` the states of components whose name contains it, or with `?part=2&of=5` the second
 * fifth. Errors are shown at the root.
 */
export async function showGallery(): Promise<void> {
  const query = new URLSearchParams(location.search)
  const only = query.get('only') ?? ''
  const [part, of] = [Number(query.get('part') ?? 1), Number(query.get('of') ?? 1)]
  const shown = entries.filter(
    ({ name }, at) => name.includes(only) && Math.floor((at * of) / entries.length) === part - 1,
  )
  const gallery = document.querySelector('#gallery')
  const wide = document.querySelector('#wide')
  await loadEngine()
  for (const { name, states } of shown) {
    for (const [title, state] of Object.entries(states)) {
      const figure = document.createElement('figure')
      const caption = document.createElement('figcaption')
      const stage = document.createElement('div')
      caption.textContent = `${name.replace('.vue', '')} · ${title}`
      stage.className = 'stage'
      if (state.rtl) stage.dir = 'rtl'
      if (state.width !== undefined) stage.style.width = `${String(state.width)}px`
      if (state.height !== undefined) stage.style.height = `${String(state.height)}px`
      stage.classList.toggle('whole', state.width !== undefined)
      figure.append(caption, stage)
      const place = (state.width ?? 0) > columnWidth ? wide : gallery
      place?.append(figure)
      await mountState(stage, caption.textContent, state)
      // Mounted states are not styled or laid out again with every following state.
      figure.classList.add('waiting')
    }
  }
  // Only now, with the same width: elements that measure themselves would lay out all columns again with every state.
  gallery?.classList.add('columns')
  for (const figure of document.querySelectorAll('figure')) figure.classList.remove('waiting')
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  document.documentElement.dataset.gallery = JSON.stringify(problems)
}
