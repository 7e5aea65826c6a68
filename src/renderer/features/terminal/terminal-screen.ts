import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { inputPieces, type SplitWay } from '#shared/bridge/terminal'
import { type Failure, failureOf } from '#shared/failure'
import { bridge } from '../../platform/bridge'
import type { ThemeName } from '../../platform/theme'
import { t } from '../../platform/i18n'
import { isComposing, shortcutKey } from '../../platform/keys'
import { needsConsent, withoutControls } from './pasted-text'
import { useMachineWidths } from './character-width'
import { drawWithGpu } from './terminal-drawing'
import { createFeed } from './terminal-feed'
import { terminalFonts } from './terminal-font'
import { boundedInput, ignoreLargeCounts, isAnswer } from './terminal-limits'
import { matchColors, terminalTheme } from './terminal-theme'

/** Lines that can be scrolled back to. */
const scrollback = 10_000

export interface SearchResult {
  /** Of the match that is selected, from 0; -1: none. */
  readonly index: number
  readonly count: number
}

export interface ScreenListener {
  /** A link was pressed: only where the person holds Ctrl, or Cmd. */
  link(url: string): void
  bell(): void
  found(result: SearchResult): void
  /** What is about to be pasted has several lines, or would run at once. */
  paste(text: string): void
  copy(text: string): void
  search(): void
  /** Stops showing its output while the session runs; null: shows it again. */
  broken(failure: Failure | null): void
}

/** The only keys of a terminal that are the page's, as Tab is the shell's: to its tab, to another terminal, to a new pane. */
export function wayOut(event: KeyboardEvent, isMac: boolean): 'tabs' | 'next' | 'previous' | SplitWay | null {
  if (event.altKey || isComposing(event)) return null
  if (event.key === 'Tab' && event.ctrlKey && !event.metaKey) return event.shiftKey ? 'previous' : 'next'
  const { ctrlKey, metaKey, shiftKey } = event
  const key = shortcutKey(event)
  if (isMac && metaKey && !ctrlKey && shiftKey) return key === 'd' ? 'below' : null
  if (isMac ? !metaKey || ctrlKey : !ctrlKey || !shiftKey || metaKey) return null
  if (key === 'l') return 'tabs'
  if (key === 'd') return 'right'
  return key === 'b' && !isMac ? 'below' : null
}

/** Keys that the window takes; all others are the terminal's. */
function keyAction(event: KeyboardEvent, isMac: boolean): 'copy' | 'search' | 'window' | null {
  // The event bubbles to the page, which acts on it.
  if (wayOut(event, isMac) !== null) return 'window'
  const key = shortcutKey(event)
  const withModifiers = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && event.shiftKey
  if (!withModifiers || event.altKey || isComposing(event)) return null
  if (key === 'c') return 'copy'
  if (key === 'f') return 'search'
  // Pasting is the page's own; the palette, the menu's commands and the reload of a window are not the terminal's.
  return isMac || key === 'v' ? 'window' : null
}

/** A terminal on the page: what a session prints is drawn, what is typed is sent. It lives on while it is not shown. */
export function createScreen(
  session: string,
  options: {
    readonly theme: ThemeName
    readonly fontSize: number
    /** As in the settings. */
    readonly font?: string | undefined
    readonly isMac: boolean
  },
  listener: ScreenListener,
) {
  const { fontSize, isMac } = options
  let { theme } = options
  /** What is searched for; empty: nothing. */
  let searched = ''
  const host = document.createElement('div')
  host.className = 'terminal-host'
  const follows = (event: MouseEvent, url: string): void => {
    if (isMac ? event.metaKey : event.ctrlKey) listener.link(url)
  }
  const terminal = new Terminal({
    // A link under other words (OSC 8), which xterm would ask about and open by itself.
    linkHandler: { activate: follows },
    theme: terminalTheme(theme),
    fontSize,
    scrollback,
    fontFamily: terminalFonts(options.font),
    lineHeight: 1.2,
    cursorBlink: true,
    minimumContrastRatio: 4.5,
    macOptionIsMeta: true,
    rightClickSelectsWord: true,
    // For the widths of characters.
    allowProposedApi: true,
  })
  const fit = new FitAddon()
  const search = new SearchAddon()
  terminal.loadAddon(fit)
  terminal.loadAddon(search)
  terminal.loadAddon(new WebLinksAddon(follows))
  useMachineWidths(terminal)
  ignoreLargeCounts(terminal)
  search.onDidChangeResults(({ resultIndex, resultCount }) =>
    listener.found({ index: resultIndex, count: resultCount }),
  )
  terminal.attachCustomKeyEventHandler((event) => {
    const action = event.type === 'keydown' ? keyAction(event, isMac) : null
    if (action === null) return true
    if (action !== 'window') event.preventDefault()
    if (action === 'copy' && terminal.hasSelection()) listener.copy(terminal.getSelection())
    if (action === 'search') listener.search()
    return false
  })
  const paste = (text: string): void => terminal.paste(withoutControls(text))
  /** The only way in for a text from elsewhere: the clipboard, the primary selection, or one that is dropped. */
  function take(event: Event, data: DataTransfer | null): void {
    event.preventDefault()
    event.stopPropagation()
    const text = withoutControls(data?.getData('text/plain') ?? '')
    if (needsConsent(text, terminal.modes.bracketedPasteMode)) listener.paste(text)
    else if (text !== '') paste(text)
  }
  host.addEventListener('paste', (event) => take(event, event.clipboardData), { capture: true })
  host.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('text/plain')) event.preventDefault()
  })
  host.addEventListener('drop', (event) => take(event, event.dataTransfer), { capture: true })

  const attach = async () => bridge.stream('terminal.screen', { session })
  let attached: ReturnType<typeof attach> | undefined
  /** Whether what is drawn was drawn before, in this window or another: its questions have had their answers. */
  let isDrawnAgain = true
  let isDisposed = false
  let feed: ReturnType<typeof createFeed> | undefined

  // What is typed before there is a stream waits for it.
  const type = boundedInput(async (text) => (await attached)?.send({ kind: 'input', text }))
  const resize = async (): Promise<void> =>
    (await attached)?.send({ kind: 'resize', columns: terminal.cols, rows: terminal.rows })

  /** Main closes the stream where the session is over; what was printed stays on screen. */
  async function watch(): Promise<void> {
    listener.broken(null)
    isDrawnAgain = true
    attached = attach()
    try {
      const stream = await attached
      if (isDisposed) return
      resize().catch(() => undefined)
      feed = createFeed(terminal, () => (isDrawnAgain = false))
      await feed.drawAll(stream.messages)
    } catch (error) {
      if (!isDisposed) listener.broken(failureOf(error, t('common.navigation.terminals')))
    }
  }
  terminal.onData((text) => {
    feed?.typed(text)
    if (!isDrawnAgain || !isAnswer(text)) inputPieces(text).forEach((piece) => type(piece))
  })
  terminal.onBell(() => {
    if (!isDrawnAgain) listener.bell()
  })
  terminal.onResize(() => void resize().catch(() => undefined))

  function begin(): void {
    terminal.open(host)
    drawWithGpu(terminal)
    void watch()
  }

  function find(text: string, step: 'next' | 'previous', isTyping = false): void {
    searched = text
    const how = { incremental: isTyping, decorations: matchColors(theme) }
    if (step === 'next') search.findNext(text, how)
    else search.findPrevious(text, how)
  }

  return {
    /** Shows it in an element of the page. */
    show(container: HTMLElement, takesFocus: boolean): void {
      container.append(host)
      if (terminal.element === undefined) begin()
      fit.fit()
      if (takesFocus) terminal.focus()
    },
    /** Begins again what is broken, with all that the session has kept. */
    watchAgain(): void {
      terminal.reset()
      void watch()
    },
    fit: (): void => fit.fit(),
    focus: (): void => terminal.focus(),
    hide: (): void => host.remove(),
    setTheme(next: ThemeName): void {
      theme = next
      terminal.options.theme = terminalTheme(next)
      if (searched === '') return
      // Marks keep their colours, and the same text is not marked again.
      search.clearDecorations()
      find(searched, 'next', true)
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
    find,
    endSearch(): void {
      searched = ''
      search.clearDecorations()
    },
    dispose(): void {
      isDisposed = true
      attached?.then((stream) => stream.close(null)).catch(() => undefined)
      terminal.dispose()
      host.remove()
    },
  }
}
export type Screen = ReturnType<typeof createScreen>
