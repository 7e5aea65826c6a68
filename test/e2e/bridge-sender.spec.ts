import { join } from 'node:path'
import { expect, test } from './fixtures'
import { channels } from '../../src/shared/bridge/channels'
import { root } from './support/application'

const ask = `window.wheelhouse.call('accounts.list', {}).then(
  (answer) => (answer.ok ? 'answered' : 'failed'),
  (error) => String(error),
)`

test('the bridge answers only the application’s own window, which reaches no network and shows no other page', async ({
  start,
}) => {
  const { electron, window } = await start()

  await test.step('no other window with the same page gets an answer', async () => {
    expect(await window.evaluate(ask)).toBe('answered')
    expect(await window.evaluate('Object.keys(window.wheelhouse)')).toEqual(['call', 'on', 'stream'])

    const opened = electron.waitForEvent('window')
    await electron.evaluate(
      async ({ BrowserWindow }, preload) => {
        const stranger = new BrowserWindow({
          webPreferences: { preload, sandbox: true, contextIsolation: true },
        })
        await stranger.loadURL('app://wheelhouse/index.html')
      },
      join(root, 'out/preload/index.cjs'),
    )
    expect(await (await opened).evaluate(ask)).toContain('untrusted sender')
    expect(await window.evaluate(ask)).toBe('answered')
  })

  await test.step('an event reaches all listeners until they unsubscribe, without a warning of a leak', async () => {
    const warnings: string[] = []
    window.on('console', (message) => warnings.push(message.text()))
    await window.evaluate(`
      globalThis.received = 0
      globalThis.ends = Array.from({ length: 30 }, () => wheelhouse.on('test.event', (by) => (received += by)))`)
    const send = (by: number) =>
      electron.evaluate(
        ({ webContents }, { channel, address, by }) => {
          for (const contents of webContents.getAllWebContents())
            if (contents.getURL() === address) contents.send(channel, 'test.event', by)
        },
        { channel: channels.event, address: window.url(), by },
      )
    await send(1)
    await expect.poll(() => window.evaluate('received')).toBe(30)
    await window.evaluate('for (const end of ends.slice(1)) end()')
    await send(100)
    await expect.poll(() => window.evaluate('received')).toBe(130)
    expect(warnings).toEqual([])
  })

  await test.step('the window reaches no network and holds no other page', async () => {
    const violated = (act: string): Promise<unknown> =>
      window.evaluate(`new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), { once: true })
        ${act}
      })`)
    expect(await violated(`fetch('http://127.0.0.1:9/').catch(() => undefined)`)).toBe('connect-src')
    expect(
      await violated(
        `document.body.append(Object.assign(document.createElement('iframe'), { src: 'https://example.com/' }))`,
      ),
    ).toBe('frame-src')
  })
})
