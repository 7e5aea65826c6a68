// @vitest-environment happy-dom
import '../../../../test/gallery/mounted'
import { MessageChannel } from 'node:worker_threads'
import { expect, it, onTestFinished, vi } from 'vitest'
import { streams } from '#shared/bridge/index'
import { createStreamPeer } from '#shared/bridge/stream-peer'
import { createFakeMain, useFakeMain } from '../../../../test/gallery/fake-main'
import { nodeStreamPort } from '../../../../test/fixtures/node-stream-port'
import { createScreen } from './terminal-screen'

vi.mock('./terminal-drawing', () => ({ drawWithGpu: () => undefined }))
// xterm.js uses the deprecated listeners of matchMedia.
window.matchMedia = () =>
  Object.assign(new EventTarget(), {
    matches: false,
    media: '',
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  })

/** Shows a screen on the page and returns it with main's end of its stream. */
function setUp() {
  const { port1, port2 } = new MessageChannel()
  const typed: string[] = []
  const refusal = { kind: 'invalid-input', field: 'terminal.screen', reason: 'malformed' } as const
  const { down: outgoing, up: incoming } = streams['terminal.screen']
  const peer = createStreamPeer({ port: nodeStreamPort(port1), outgoing, incoming, refusal })
  useFakeMain({
    ...createFakeMain({}),
    stream: (name) => {
      const opened = { source: window, data: { wheelhouseStream: name }, ports: [port2] }
      setImmediate(() => window.dispatchEvent(Object.assign(new Event('message'), opened)))
      return name
    },
  })
  const nothing = (): void => undefined
  const asked: string[] = []
  const menus: (readonly [number, number])[] = []
  const rung = vi.fn()
  const found = vi.fn()
  const screen = createScreen(
    's',
    { theme: 'dark', fontSize: 13, isMac: false },
    {
      link: nothing,
      bell: rung,
      found,
      paste: (text) => void asked.push(text),
      copy: nothing,
      search: nothing,
      menu: (x, y) => void menus.push([x, y]),
      broken: nothing,
    },
  )
  onTestFinished(() => {
    screen.dispose()
    peer.close(null)
  })
  const host = document.createElement('div')
  document.body.append(host)
  screen.show(host, true)
  void (async () => {
    for await (const message of peer.messages) if (message.kind === 'input') typed.push(message.text)
  })()
  return {
    screen,
    host,
    typed,
    asked,
    menus,
    rung,
    found,
    print: (text: string) => peer.send(new TextEncoder().encode(text)),
  }
}

it('questions in replayed output are not answered, questions in new output are', async () => {
  const { screen, typed, print } = setUp()
  screen.paste('l')
  screen.paste('s')
  await print('\x1b[?1049h\x1b[?1004h\x1b[>c\x1b[6n\x1b]11;?\x07\x1b[?1004l\x1b[?1049l$ ')
  await print('')
  // Programs cannot read the clipboard or the window's title.
  await print('new \x1b]52;c;?\x07\x1b]52;p;?\x07\x1b[21t\x1b[5n')
  await expect.poll(() => typed).toContain('\x1b[0n')
  expect(typed).toEqual(['l', 's', '\x1b[0n'])
})

it('a bell in replayed output does not ring, a new bell does', async () => {
  const { rung, print } = setUp()
  await print('old \x07')
  await print('')
  await print('new \x07')
  await expect.poll(() => rung.mock.calls.length).toBeGreaterThan(0)
  expect(rung).toHaveBeenCalledTimes(1)
})

it('pasted or dropped text has no control characters, and needs consent if it would run', async () => {
  const { host, typed, asked, print } = setUp()
  const give = (kind: 'paste' | 'drop', text: string): void => {
    const data = { types: ['text/plain'], getData: () => text }
    const event = new Event(kind, { bubbles: true, cancelable: true })
    Object.assign(event, { clipboardData: data, dataTransfer: data })
    host.querySelector('textarea')?.dispatchEvent(event)
  }
  give('paste', '\x1b[201~a\x0f')
  give('drop', '\x9bb')
  give('paste', 'touch x\n')
  await expect.poll(() => typed).toEqual(['[201~a', 'b'])
  expect(asked).toEqual(['touch x\n'])
  await print('$ ')
  await print('')
  await print('\x1b[?2004h\x1b[5n')
  await expect.poll(() => typed).toContain('\x1b[0n')
  give('paste', 'touch \x1b[201~x\n')
  await expect.poll(() => typed.slice(3)).toEqual(['\x1b[200~touch [201~x\r\x1b[201~'])
  expect(asked).toHaveLength(1)
})

it('the menu opens at a right click, unless a program receives the mouse and Shift is up', async () => {
  const { host, menus, print, typed } = setUp()
  const rightClick = (shiftKey: boolean): MouseEvent => {
    const event = new MouseEvent('contextmenu', {
      bubbles: true,
      cancelable: true,
      clientX: 30,
      clientY: 40,
      shiftKey,
    })
    host.querySelector('textarea')?.dispatchEvent(event)
    return event
  }
  expect(rightClick(false).defaultPrevented).toBe(true)
  expect(menus).toEqual([[30, 40]])
  await print('$ ')
  await print('')
  await print('\x1b[?1000h\x1b[5n')
  await expect.poll(() => typed).toContain('\x1b[0n')
  expect(rightClick(false).defaultPrevented).toBe(true)
  expect(menus).toHaveLength(1)
  rightClick(true)
  expect(menus).toHaveLength(2)
})

it('the menu opens at Shift+F10 and the menu key, which no program receives', async () => {
  const { host, menus, typed, screen } = setUp()
  const press = (key: string, more: KeyboardEventInit = {}): void => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
    host.querySelector('textarea')?.dispatchEvent(event)
  }
  press('F10', { shiftKey: true })
  press('ContextMenu')
  expect(menus).toHaveLength(2)
  press('F10', { shiftKey: true, ctrlKey: true })
  expect(menus).toHaveLength(2)
  screen.paste('end')
  await expect.poll(() => typed.join('')).toContain('end')
  expect(typed.join('')).not.toContain('[21;2~')
})

it('a search after Clear finds no removed line', async () => {
  const { screen, found, print } = setUp()
  await print('needle\r\nneedle\r\n$ ')
  await print('')
  await expect
    .poll(() => {
      screen.find('needle', 'next')
      return found.mock.lastCall
    })
    .toEqual([{ index: 0, count: 2 }])
  screen.clear()
  expect(found.mock.lastCall).toEqual([{ index: -1, count: 0 }])
  found.mockClear()
  screen.find('needle', 'next')
  expect(found.mock.lastCall).toEqual([{ index: -1, count: 0 }])
})
