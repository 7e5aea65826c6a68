import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { guidePicture, pictureInBothThemes } from './support/pictures'
import { press, windowShown, focus } from './support/screen'
import { secretsOfOwnSandbox } from './support/secrets'
import { accountsOf, lookAround, openMachine, openPage } from './support/window'

const reading = { timeout: 60_000 }

test('the user guide opens with F1, before there is an account, and without a network', async ({ start }) => {
  const { electron, window } = await start()
  await expect(window.getByRole('heading', { name: 'Welcome to Wheelhouse' })).toBeVisible()
  await focus(await windowShown('--name', 'Wheelhouse$'))
  await press('F1')
  const guide = window.getByRole('article', { name: 'User guide' })
  await expect(guide).toBeVisible()
  const picture = guide.getByRole('img').first()
  await expect
    .poll(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
    .toBeGreaterThan(600)
  expect(await violations(electron, window)).toEqual([])
  await pictureInBothThemes(electron, window, 'The guide before the first account')

  await window.getByRole('navigation', { name: 'Guide pages' }).getByRole('link', { name: 'Sign in' }).click()
  await window.getByRole('article').getByRole('link', { name: 'Keychain unavailable' }).click()
  const page = window.getByRole('article', { name: 'Troubleshooting' })
  await expect(page.getByRole('heading', { name: 'Keychain unavailable' })).toBeInViewport()
  await window.getByRole('link', { name: 'Back', exact: true }).click()
  await lookAround(window)
  // The user's destination before the guide opened.
  await expect(window.getByRole('heading', { name: 'Machines', level: 1 })).toBeVisible()

  // The application's menu and the palette open it too.
  await electron.evaluate(({ Menu }) => {
    const help = Menu.getApplicationMenu()?.items.find(({ role }) => role === 'help')
    help?.submenu?.items[0]?.click()
  })
  await expect(guide).toBeVisible()
  await pictureInBothThemes(electron, window, 'The guide')
  await window.getByRole('link', { name: /^Overview/ }).click()
  await expect(guide).toBeHidden()
  await window.keyboard.press('Control+k')
  await window.keyboard.type('User guide')
  await expect(window.getByRole('option', { name: 'User guide', exact: true })).toBeVisible()
  await window.keyboard.press('Enter')
  await expect(guide).toBeVisible()
})

/** Pictures must not contain paths of the checkout. */
const inShortPlace = test.extend({
  place: async ({ system: _ }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-'))
    const place = { userData: join(folder, 'data'), home: join(folder, 'home') }
    for (const one of Object.values(place)) mkdirSync(one, { mode: 0o700 })
    await use(place)
    rmSync(folder, { recursive: true, force: true })
  },
})

inShortPlace('the pictures of README and user guide @deep', async ({ start, secrets }) => {
  const { electron, window } = await start()
  await window.setViewportSize({ width: 1200, height: 750 })
  await expect(window.getByRole('heading', { name: 'Welcome to Wheelhouse' })).toBeVisible()
  await guidePicture(electron, window, 'first-run')
  await lookAround(window)
  for (const account of await accountsOf(window)) secrets.push(...(await secretsOfOwnSandbox(account)))

  await openPage(window, 'Machines')
  await expect(window.getByRole('grid', { name: 'Machines' }).getByRole('row').nth(8)).toBeVisible()
  await guidePicture(electron, window, 'machines')
  const panel = await openMachine(window, 'train-llama-01')
  await expect(panel.getByText('not confirmed yet')).toBeVisible()
  await guidePicture(electron, window, 'ssh')
  await panel.getByRole('tab', { name: 'GPU', exact: true }).click()
  await panel.getByRole('button', { name: 'Only on this machine' }).click()
  await panel.getByRole('button', { name: 'Trust this key' }).click(reading)
  await expect(panel.getByRole('list', { name: 'GPUs' }).getByRole('listitem')).toHaveCount(8, reading)
  await guidePicture(electron, window, 'gpu')

  await window.getByRole('link', { name: /^Overview/ }).click()
  const waste = window.getByRole('region', { name: 'Waste in the sandbox' })
  await expect(waste.getByRole('listitem').first()).toBeVisible(reading)
  await guidePicture(electron, window, 'overview')
  await guidePicture(electron, window, 'waste', waste)
  await window.getByRole('link', { name: /^Billing/ }).click()
  await expect(window.getByRole('heading', { name: 'Billing', level: 1 })).toBeVisible()
  await expect(window.getByRole('row', { name: /pretrain-metal-01/ }).first()).toBeVisible(reading)
  await guidePicture(electron, window, 'billing')
})
