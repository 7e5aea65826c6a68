import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures'
import { pictureInBothThemes, pictureOfScreen } from './support/pictures'
import { press, readableXterms, type, windows, windowShown } from './support/screen'
import { secretsInProcesses, secretsOfOwnSandbox } from './support/secrets'
import {
  accountsOf,
  chooseTerminal,
  lookAround,
  machineNames,
  machineRows,
  openMachine,
  openPage,
} from './support/window'

test.use({ needs: ['ssh', 'xterm'] })

/** The system's default terminal: xterm, or xfce4's if installed. */
const xtermsOpen = async () => [
  ...(await windows('--class', '^XTerm$')),
  ...(await windows('--class', '^Xfce4-terminal$')),
]

test('from the first start to the prompt of a machine, with no account and no set-up', async ({
  start,
  place,
  secrets,
}) => {
  const xterms = readableXterms(place.home)
  rmSync(join(place.userData, 'settings.json'))
  const { electron, window, pid } = await start(xterms.env)

  await expect(window.getByRole('heading', { name: 'Welcome to Wheelhouse' })).toBeVisible()
  // Its script came with the first one (src/main/desktop/first-answers.ts).
  await expect(window.locator('link[rel="modulepreload"][href*="/ConnectPage-"]').first()).toBeAttached()
  expect(await window.locator('head > script[type="application/json"]').textContent()).toContain(
    '"withoutAccount":true',
  )
  await pictureInBothThemes(electron, window, 'First run')

  await lookAround(window)
  await expect(window.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
  await openPage(window, 'Machines')
  expect(await machineNames(window)).toHaveLength(12)
  await pictureInBothThemes(electron, window, 'Machines')
  for (const account of await accountsOf(window)) secrets.push(...(await secretsOfOwnSandbox(account)))

  await chooseTerminal(window, /^xterm/)
  const panel = await openMachine(window, 'train-llama-01')
  await expect(panel.getByText('not confirmed yet')).toBeVisible()
  await pictureInBothThemes(electron, window, 'Machine')

  await panel.getByRole('button', { name: /^Connect/ }).click()
  const xterm = await windowShown('--class', '^XTerm$')
  const prompt = /^\S+@train-llama-01:~\$/m
  await expect.poll(() => xterms.screenOf(xterm), { message: 'the prompt of the machine' }).toMatch(prompt)
  expect(secretsInProcesses(pid, secrets)).toEqual([])

  // The prompt is alive: the machine runs the input.
  await type('hostname; nvidia-smi -L')
  await press('Return')
  await expect.poll(() => xterms.screenOf(xterm)).toMatch(/^train-llama-01\s*$/m)
  await pictureOfScreen('SSH in xterm')

  await expect(panel.getByText(/^SHA256:/)).toBeVisible()
  await pictureInBothThemes(electron, window, 'Machine after the first contact')
})

test('three clicks and few words lead from the first window to a terminal on a machine @deep', async ({
  start,
  place,
}) => {
  const xterms = readableXterms(place.home)
  rmSync(join(place.userData, 'settings.json'))
  const { window } = await start(xterms.env)
  /** Words on the screen before each click. */
  const words: number[] = []
  const click = async (target: Locator): Promise<void> => {
    await target.hover()
    const shown = await window.locator('body').innerText()
    words.push(shown.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word)).length)
    await target.click()
  }

  await expect(window.getByRole('img', { name: /^A list of machines/ })).toBeVisible()
  await click(window.getByRole('button', { name: 'Look around first' }))
  await expect(window.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
  // The full text once everything is loaded; an experienced user need not wait for it.
  await expect(window.getByRole('heading', { name: /^Waste: / })).toBeVisible()
  await click(window.getByRole('link', { name: 'Machines' }))
  await machineRows(window).filter({ hasText: 'train-llama-01' }).hover()
  await click(window.getByRole('button', { name: 'Connect to train-llama-01' }))
  await expect.poll(async () => (await xtermsOpen()).length).toBe(1)

  test.info().annotations.push({ type: 'words', description: words.join(' + ') })
  expect(words).toHaveLength(3)
  expect(words[0]).toBeLessThanOrEqual(55)
  expect(words.reduce((all, count) => all + count, 0)).toBeLessThanOrEqual(600)
})

test('a sandbox whose process ends unexpectedly is back after a moment, with its machines @deep', async ({
  start,
}) => {
  const { electron, window } = await start()
  await lookAround(window)
  const before = await machineNames(window)
  const [first] = await accountsOf(window)

  await electron.evaluate(({ app }) => {
    const sandbox = app.getAppMetrics().find(({ name }) => name === 'Wheelhouse sandbox')
    if (!sandbox) throw new Error('no process of the sandbox')
    process.kill(sandbox.pid)
  })
  await expect
    .poll(async () => (await accountsOf(window)).map(({ baseUrl }) => baseUrl === first?.baseUrl))
    .toEqual([false])
  await expect(window.getByRole('button', { name: 'Sign in' })).toHaveCount(0)
  expect(await machineNames(window)).toEqual(before)
})
