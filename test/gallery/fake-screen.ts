import type { Screen } from '../../src/renderer/features/terminal/terminal-screen'

/**
 * A terminal without xterm, which draws nothing without a layout: its field for the keyboard, whether a key belongs
 * to it, and pasted text.
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
    selection: () => (field.value === '' ? '' : 'selected'),
    selectAll: () => field.select(),
    clear: () => (field.value = ''),
    paste: (text) => {
      field.value += text
    },
  }
}
