import type { Screen } from '../../src/renderer/features/terminal/terminal-screen'

/**
 * A terminal without xterm, which draws nothing where nothing is laid out: its field for the keyboard, that every key is
 * its own, and what is pasted into it.
 */
export function createFakeScreen(session: string): Partial<Screen> {
  const host = document.createElement('div')
  host.className = 'xterm'
  const field = document.createElement('textarea')
  field.dataset.typed = session
  field.addEventListener('keydown', (event) => event.preventDefault())
  host.append(field)
  const nothing = () => undefined
  return {
    show: (place) => place.append(host),
    focus: () => field.focus(),
    hide: () => host.remove(),
    dispose: () => host.remove(),
    fit: nothing,
    endSearch: nothing,
    paste: (text) => {
      field.value += text
    },
  }
}
