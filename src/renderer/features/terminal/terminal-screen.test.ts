// @vitest-environment happy-dom
import '../../../../test/gallery/mounted'
import { MessageChannel } from 'node:worker_threads'
import { expect, it, onTestFinished, vi } from 'vitest'
import { streams } from '#shared/bridge/index'
import { createStreamPeer } from '#shared/bridge/stream-peer'
import { createFakeMain, useFakeMain } from '../../../../test/gallery/fake-main'
import { nodeStreamPort } from '../../../../test/fixtures/node-stream-port'
import { createScreen } from './terminal-screen'

// Their tables are read as Node's bytes in tests, and not to their end.
vi.mock('@xterm/addon-unicode-graphemes', () => ({
  UnicodeGraphemesAddon: class {
    activate = () => undefined
    dispose = () => undefined
  },
}))
vi.mock('./terminal-drawing', () => ({ drawWithGpu: () => undefined }))
// xterm listens for another resolution by the means of before 2020.
window.matchMedia = () =>
  Object.assign(new EventTarget(), {
    ...{ matches: false, media: '', onchange: null },
    ...{ addListener: () => undefined, removeListener: () => undefined },
  })

/** A screen on the page, and main's end of its stream, which comes when it is asked to. */
function setUp() {
  const { port1, port2 } = new MessageChannel()
  const typed: string[] = []
  const asked: string[] = []
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
  const screen = createScreen(
    's',
    { theme: 'dark', fontSize: 13, isMac: false },
    {
      ...{ link: nothing, bell: nothing, found: nothing },
      ...{ copy: nothing, search: nothing, broken: nothing },
      paste: (text) => void asked.push(text),
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
  const paste = (text: string): void => {
    const clipboardData = { getData: () => text }
    const event = new Event('paste', { bubbles: true, cancelable: true })
    host.querySelector('textarea')?.dispatchEvent(Object.assign(event, { clipboardData }))
  }
  return { screen, typed, asked, paste, print: (text: string) => peer.send(new TextEncoder().encode(text)) }
}

it('what was drawn before is answered nothing, not even about the focus; what is new is', async () => {
  const { screen, typed, print } = setUp()
  screen.paste('l')
  screen.paste('s')
  await print('\x1b[?1049h\x1b[?1004h\x1b[>c\x1b[6n\x1b]11;?\x07\x1b[?1004l\x1b[?1049l$ ')
  await print('')
  await print('new \x1b[5n')
  await expect.poll(() => typed).toContain('\x1b[0n')
  expect(typed).toEqual(['l', 's', '\x1b[0n'])
})

it('no key is pasted, and what runs at once is asked about', async () => {
  const { typed, asked, paste, print } = setUp()
  await print('')
  paste('a\x1b[201~b\x0f\x9b\x7f\tc')
  await expect.poll(() => typed).toEqual(['a[201~b\tc'])
  paste('touch x\n')
  paste('one\x1b\r\ntwo')
  expect(asked).toEqual(['touch x\n', 'one\r\ntwo'])
  await print('\x1b[?2004h\x1b[5n')
  await expect.poll(() => typed).toContain('\x1b[0n')
  paste('touch x\n')
  await expect.poll(() => typed.at(-1)).toBe('\x1b[200~touch x\r\x1b[201~')
  paste('one\ntwo')
  expect(asked).toHaveLength(3)
})
