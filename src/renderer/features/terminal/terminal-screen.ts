import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { inputPieces } from '#shared/bridge/terminal'
import { type Failure, failureOf } from '#shared/failure'
import { bridge } from '../../platform/bridge'
import type { ThemeName } from '../../platform/theme'
import { t } from '../../platform/i18n'
import { needsConsent, withoutControls } from './pasted-text'
import { useMachineWidths } from './character-width'
import { drawWithGpu } from './terminal-drawing'
import { createFeed } from './terminal-feed'
import { terminalFonts } from './terminal-font'
import { boundedInput, ignoreLargeCounts, isAnswer } from './terminal-limits'
import { keyAction } from './terminal-shortcuts'
import { matchColors, terminalTheme } from './terminal-theme'

const scrollbackLines = 10_000

export interface SearchResult {
  /** Index of the selected match; -1 if there is none. */
  readonly index: number
  readonly count: number
}

export interface ScreenListener {
  /** Called when a link is clicked while Ctrl, or Cmd, is pressed. */
  link(url: string): void
  bell(): void
  found(result: SearchResult): void
  /** Called before a text is pasted that has several lines or would run at once. */
  paste(text: string): void
  copy(text: string): void
  search(): void
  /** Called to show the menu at a point of the window, in pixels. */
  menu(x: number, y: number): void
  /** Called with the failure that stopped the display while the session runs; null when it is displayed again. */
  broken(failure: Failure | null): void
}

interface ScreenOptions {
  readonly theme: ThemeName
  readonly fontSize: number
  readonly font?: string | undefined
  readonly isMac: boolean
}

/** Shows the menu below the cursor. */
function showMenuAtCursor(terminal: Terminal, listener: Pick<ScreenListener, 'menu'>): void {
  const area = terminal.element?.querySelector('.xterm-screen')?.getBoundingClientRect()
  if (!area) return
  const { cursorX, cursorY } = terminal.buffer.active
  listener.menu(
    area.left + (area.width * cursorX) / terminal.cols,
    area.top + (area.height * (cursorY + 1)) / terminal.rows,
  )
}

/**
 * Shows the menu at a right click. If a program of the machine receives the mouse, the click belongs to it unless Shift
 * is pressed, as in other terminals.
 */
function handleRightClick(
  host: HTMLElement,
  terminal: Terminal,
  listener: Pick<ScreenListener, 'menu'>,
): void {
  host.addEventListener('contextmenu', (event) => {
    // The window's own menu for fields would appear too.
    event.preventDefault()
    if (terminal.modes.mouseTrackingMode === 'none' || event.shiftKey)
      listener.menu(event.clientX, event.clientY)
  })
}

function createTerminal({ theme, fontSize, font, isMac }: ScreenOptions, listener: ScreenListener) {
  const activate = (event: MouseEvent, url: string): void => {
    if (isMac ? event.metaKey : event.ctrlKey) listener.link(url)
  }
  const terminal = new Terminal({
    // Links of OSC 8, which xterm.js would open by itself.
    linkHandler: { activate },
    theme: terminalTheme(theme),
    fontSize,
    scrollback: scrollbackLines,
    fontFamily: terminalFonts(font),
    lineHeight: 1.2,
    cursorBlink: true,
    minimumContrastRatio: 4.5,
    macOptionIsMeta: true,
    // For the widths of characters.
    allowProposedApi: true,
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.loadAddon(new WebLinksAddon(activate))
  useMachineWidths(terminal)
  ignoreLargeCounts(terminal)
  terminal.attachCustomKeyEventHandler((event) => {
    const action = event.type === 'keydown' ? keyAction(event, isMac) : null
    if (action === null) return true
    if (action !== 'window') event.preventDefault()
    if (action === 'copy' && terminal.hasSelection()) listener.copy(terminal.getSelection())
    if (action === 'search') listener.search()
    if (action === 'menu') showMenuAtCursor(terminal, listener)
    return false
  })
  return { terminal, fit }
}

function loadSearch(terminal: Terminal, listener: ScreenListener): SearchAddon {
  const search = new SearchAddon()
  terminal.loadAddon(search)
  search.onDidChangeResults(({ resultIndex, resultCount }) =>
    listener.found({ index: resultIndex, count: resultCount }),
  )
  return search
}

/** Handles text from the clipboard, the primary selection or a drop, which has no other way into the terminal. */
function handlePaste(host: HTMLElement, terminal: Terminal, ask: (text: string) => void) {
  const paste = (text: string): void => terminal.paste(withoutControls(text))
  function receive(event: Event, data: DataTransfer | null): void {
    event.preventDefault()
    event.stopPropagation()
    const text = withoutControls(data?.getData('text/plain') ?? '')
    if (needsConsent(text, terminal.modes.bracketedPasteMode)) ask(text)
    else if (text !== '') paste(text)
  }
  host.addEventListener('paste', (event) => receive(event, event.clipboardData), { capture: true })
  host.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('text/plain')) event.preventDefault()
  })
  host.addEventListener('drop', (event) => receive(event, event.dataTransfer), { capture: true })
  return paste
}

function connectSession(session: string, terminal: Terminal, listener: ScreenListener) {
  const openStream = async () => bridge.stream('terminal.screen', { session })
  let opening: ReturnType<typeof openStream> | undefined
  /** Whether the output was drawn before, in this or another window, so that its questions were answered. */
  let isReplay = true
  let isDisposed = false
  let feed: ReturnType<typeof createFeed> | undefined

  // Input before the stream is open waits for it.
  const send = boundedInput(async (text) => (await opening)?.send({ kind: 'input', text }))
  const resize = async (): Promise<void> =>
    (await opening)?.send({ kind: 'resize', columns: terminal.cols, rows: terminal.rows })
  terminal.onData((text) => {
    feed?.typed(text)
    if (!isReplay || !isAnswer(text)) inputPieces(text).forEach((piece) => send(piece))
  })
  terminal.onBell(() => {
    if (!isReplay) listener.bell()
  })
  terminal.onResize(() => void resize().catch(() => undefined))

  return {
    /** Displays the session until main closes the stream because it ended. The output stays on screen. */
    async watch(): Promise<void> {
      listener.broken(null)
      isReplay = true
      opening = openStream()
      try {
        const stream = await opening
        if (isDisposed) return
        resize().catch(() => undefined)
        feed = createFeed(terminal, () => (isReplay = false))
        await feed.drawAll(stream.messages)
      } catch (error) {
        if (!isDisposed) listener.broken(failureOf(error, t('common.navigation.terminals')))
      }
    },
    dispose(): void {
      isDisposed = true
      opening?.then((stream) => stream.close(null)).catch(() => undefined)
    },
  }
}

/** Creates the terminal of a session. It keeps running while it is hidden. */
export function createScreen(session: string, options: ScreenOptions, listener: ScreenListener) {
  let { theme } = options
  let searchText = ''
  const host = document.createElement('div')
  host.className = 'terminal-host'
  const { terminal, fit } = createTerminal(options, listener)
  let search = loadSearch(terminal, listener)
  const paste = handlePaste(host, terminal, listener.paste)
  handleRightClick(host, terminal, listener)
  const connection = connectSession(session, terminal, listener)

  function find(text: string, step: 'next' | 'previous', isTyping = false): void {
    searchText = text
    const how = { incremental: isTyping, decorations: matchColors(theme) }
    if (step === 'next') search.findNext(text, how)
    else search.findPrevious(text, how)
  }

  return {
    show(container: HTMLElement, takesFocus: boolean): void {
      container.append(host)
      if (terminal.element === undefined) {
        terminal.open(host)
        drawWithGpu(terminal)
        void connection.watch()
      }
      fit.fit()
      if (takesFocus) terminal.focus()
    },
    /** Displays a broken session again, with all its stored output. */
    watchAgain(): void {
      terminal.reset()
      void connection.watch()
    },
    fit: (): void => fit.fit(),
    focus: (): void => terminal.focus(),
    hide: (): void => host.remove(),
    setTheme(next: ThemeName): void {
      theme = next
      terminal.options.theme = terminalTheme(next)
      if (searchText === '') return
      // Matches keep their colours until the search is cleared and repeated.
      search.clearDecorations()
      find(searchText, 'next', true)
    },
    setFontSize(next: number): void {
      terminal.options.fontSize = next
      fit.fit()
    },
    setFont(next: string | undefined): void {
      terminal.options.fontFamily = terminalFonts(next)
      fit.fit()
    },
    paste,
    selection: (): string => terminal.getSelection(),
    selectAll: (): void => terminal.selectAll(),
    /** Removes everything above the line of the cursor. */
    clear(): void {
      terminal.clear()
      terminal.clearSelection()
      // The search remembers lines for 15 seconds, and would find the removed lines.
      search.dispose()
      search = loadSearch(terminal, listener)
      if (searchText !== '') find(searchText, 'next', true)
    },
    find,
    endSearch(): void {
      searchText = ''
      search.clearDecorations()
    },
    dispose(): void {
      connection.dispose()
      terminal.dispose()
      host.remove()
    },
  }
}
export type Screen = ReturnType<typeof createScreen>
