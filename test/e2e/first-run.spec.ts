import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { pictureInBothThemes, pictureOfScreen } from './support/pictures'
import { press, readableXterms, type, windowShown } from './support/screen'
import { secretsInCommandLines, secretsOfOwnSandbox } from './support/secrets'
import { accountsOf, chooseTerminal, lookAround, machineNames, openMachine, openPage } from './support/window'

test.use({ needs: ['ssh', 'xterm'] })

test('from the first start to the prompt of a machine, with no account and no set-up', async ({
  start,
  place,
  secrets,
}) => {
  const xterms = readableXterms(place.home)
  rmSync(join(place.userData, 'settings.json'))
  const { electron, window } = await start(xterms.env)

  await expect(window.getByRole('heading', { name: 'Welcome to Wheelhouse' })).toBeVisible()
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
  expect(secretsInCommandLines(secrets)).toEqual([])

  // The prompt is alive: what is typed is run by that machine.
  await type('hostname; nvidia-smi -L')
  await press('Return')
  await expect.poll(() => xterms.screenOf(xterm)).toMatch(/^train-llama-01\s*$/m)
  await pictureOfScreen('SSH in xterm')

  await expect(panel.getByText(/^SHA256:/)).toBeVisible()
  await pictureInBothThemes(electron, window, 'Machine after the first contact')
})

test('a sandbox whose process ends by itself is back after a moment, with its machines', async ({
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
