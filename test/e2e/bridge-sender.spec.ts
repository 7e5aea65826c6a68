import { join } from 'node:path'
import { expect, test } from './fixtures'
import { root } from './support/application'

const ask = `window.wheelhouse.call('accounts.list', {}).then(
  (answer) => (answer.ok ? 'answered' : 'failed'),
  (error) => String(error),
)`

test('the bridge answers the application’s own window, and no other that shows the same page', async ({
  start,
}) => {
  const { electron, window } = await start()
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

test('the window reaches no network and holds no other page', async ({ start }) => {
  const { window } = await start()
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
