import { shallowReactive, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import type { Failure } from '#shared/failure'
import { useApp } from '../../stores/app'
import { useTerminals } from '../../stores/terminals'
import { createScreen, type Screen, type SearchResult } from './terminal-screen'

/** A question of a terminal to the page: a link to copy, or text to paste. */
export type ScreenQuestion =
  | { readonly kind: 'link'; readonly session: string; readonly url: string }
  | { readonly kind: 'paste'; readonly session: string; readonly text: string }

/** Pastes into the terminal of the question, unless it has ended. */
export function pasteAsked(
  question: ScreenQuestion | null,
  sessions: readonly { readonly id: string }[],
  screenOf: (session: string) => Pick<Screen, 'paste'>,
): void {
  if (question?.kind === 'paste' && sessions.some(({ id }) => id === question.session))
    screenOf(question.session).paste(question.text)
}

/** Screens of all terminals that the window has shown. Each is disposed with its session. */
export const useTerminalScreens = defineStore('terminal-screens', () => {
  const app = useApp()
  const terminals = useTerminals()
  const screens = new Map<string, Screen>()
  /** Sessions that rang while their tab was hidden. */
  const ringing = shallowReactive(new Set<string>())
  const broken = shallowReactive(new Map<string, Failure>())
  const question = shallowRef<ScreenQuestion | null>(null)
  const found = shallowRef<SearchResult>({ index: -1, count: 0 })
  const isSearching = shallowRef(false)
  /** The session whose menu was opened, and the point of the window, in pixels. */
  const menu = shallowRef<{ readonly session: string; readonly x: number; readonly y: number } | null>(null)
  const copied = shallowRef<{ readonly text: string } | null>(null)

  function screenOf(session: string): Screen {
    const known = screens.get(session)
    if (known) return known
    const screen = createScreen(
      session,
      {
        theme: app.theme,
        fontSize: app.settings.terminalFontSize,
        font: app.settings.terminalFont,
        isMac: app.info?.platform === 'darwin',
      },
      {
        link: (url) => (question.value = { kind: 'link', session, url }),
        paste: (text) => (question.value = { kind: 'paste', session, text }),
        bell: () => {
          if (!terminals.tab?.panes.some(({ id }) => id === session)) ringing.add(session)
        },
        found: (result) => (found.value = result),
        copy: (text) => (copied.value = { text }),
        search: () => (isSearching.value = true),
        menu: (x, y) => (menu.value = { session, x, y }),
        broken: (failure) => {
          if (failure) broken.set(session, failure)
          else broken.delete(session)
        },
      },
    )
    screens.set(session, screen)
    return screen
  }

  watch(
    () => terminals.sessions.map(({ id }) => id),
    (ids) => {
      for (const [id, screen] of screens) {
        if (ids.includes(id)) continue
        screen.dispose()
        screens.delete(id)
        ringing.delete(id)
        broken.delete(id)
      }
    },
  )
  watch(
    () => app.theme,
    (theme) => screens.forEach((screen) => screen.setTheme(theme)),
  )
  watch(
    () => app.settings.terminalFontSize,
    (size) => screens.forEach((screen) => screen.setFontSize(size)),
  )
  watch(
    () => app.settings.terminalFont,
    (font) => screens.forEach((screen) => screen.setFont(font)),
  )

  return { screenOf, ringing, broken, question, found, isSearching, menu, copied }
})
