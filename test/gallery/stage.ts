import { NConfigProvider } from 'naive-ui'
import { createPinia, type Pinia } from 'pinia'
import { createApp, defineComponent, h, nextTick } from 'vue'
import { naiveOverrides, naiveTheme } from '../../src/renderer/platform/naive-theme'
import { laterMessages } from '../../src/renderer/platform/i18n'
import ToastArea from '../../src/renderer/components/ToastArea.vue'
import { useApp } from '../../src/renderer/stores/app'
import { createFakeMain, useFakeMain } from './fake-main'
import { createPlaces } from './router'
import type { GalleryState } from './state'
import { startFirstStores, startOtherStores } from '../../src/renderer/stores/start-stores'
import { world } from './world'

/** Errors while the states were mounted. */
export const problems: string[] = []

export const sharedPinia = createPinia()
const shared = { main: createFakeMain(world), pinia: sharedPinia, router: createPlaces() }
let begun = false

/** Like app/ThemedApp.vue, around one state. */
const frame = (state: GalleryState) =>
  defineComponent({
    setup() {
      const app = useApp()
      return () =>
        h(
          NConfigProvider,
          {
            theme: naiveTheme(app.theme),
            themeOverrides: naiveOverrides(app.theme),
            preflightStyleDisabled: true,
          },
          () => [state.render(), h(ToastArea)],
        )
    },
  })

/** Stores that have loaded their start-up data. */
async function storesIn(pinia: Pinia): Promise<void> {
  const app = createApp({ render: () => null })
  app.use(pinia)
  await laterMessages()
  await app.runWithContext(startFirstStores)
  app.runWithContext(startOtherStores)
}

/** Parent of dialogs and menus while a state is mounted, instead of the document's body. */
let body: HTMLElement | null = null
const find = document.querySelector.bind(document)
document.querySelector = (selector: string) => (selector === 'body' && body ? body : find(selector))

/** Mounts one state into its stage and waits until it settles; one at a time, since they share a window. */
export async function mountState(stage: HTMLElement, name: string, state: GalleryState): Promise<void> {
  const own = state.handlers !== undefined
  const main = own ? createFakeMain({ ...world, ...state.handlers }) : shared.main
  const pinia = own ? createPinia() : shared.pinia
  const failed = (error: unknown) =>
    problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  useFakeMain(main)
  body = stage
  try {
    if (own || !begun) await storesIn(pinia)
    begun ||= !own
    const place = document.createElement('div')
    place.className = 'place'
    stage.append(place)
    const app = createApp(frame(state))
    app.config.idPrefix = name.replace(/[^a-zA-Z0-9]+/g, '-')
    app.config.errorHandler = failed
    app.config.warnHandler = (message) => failed(`warning: ${message}`)
    app.use(pinia).use(shared.router)
    await shared.router.isReady()
    app.mount(place)
    await nextTick()
    await main.settled()
    await state.act?.(stage)
    await main.settled()
  } catch (error) {
    failed(error)
  } finally {
    body = null
  }
  for (const call of main.unanswered.splice(0)) failed(`nothing answers ${call}`)
}
