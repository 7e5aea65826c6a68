import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { palettes } from '../../src/renderer/platform/theme'
import { violations } from './support/accessibility'
import { expectApart, expectWithin, narrow as narrowSize, resize } from './support/narrow'
import { pictureInBothThemes } from './support/pictures'
import { endSearch, occurrences, typeLine } from './support/terminal'
import { chooseTerminal, lookAround, machineNames, openMachine, openPage } from './support/window'

test.use({ needs: ['ssh'] })

test('a terminal in Wheelhouse runs its input, survives a change of page, and ends when it is closed', async ({
  start,
  place,
}) => {
  const { electron, window } = await start()
  await lookAround(window)
  await openPage(window, 'Machines')
  await machineNames(window)
  const panel = await openMachine(window, 'train-llama-01')
  await panel.getByRole('button', { name: 'Open here' }).click()

  const screen = window.getByRole('tabpanel', { name: 'Terminal of train-llama-01' })
  await expect(screen.locator('textarea')).toBeFocused()
  await expect.poll(() => occurrences(window, '@train-llama-01:~')).toBe('1 of 1')
  await endSearch(window)
  await expect(screen.locator('textarea')).toBeFocused()
  await typeLine(window, 'hostname; nvidia-smi -L')
  await expect.poll(() => occurrences(window, 'GPU 0:')).toBe('1 of 1')
  await pictureInBothThemes(electron, window, 'Terminal')
  await endSearch(window)

  // Several lines are shown before they are pasted, as each would run.
  await electron.evaluate(({ clipboard }) => clipboard.writeText('echo first\necho second\n'))
  await window.keyboard.press('Control+Shift+V')
  const asking = window.getByRole('dialog', { name: 'Paste 2 lines?' })
  await expect(asking).toContainText('echo second')
  await pictureInBothThemes(electron, window, 'Before several lines are pasted')
  await asking.getByRole('button', { name: 'Paste' }).click()
  await expect.poll(() => occurrences(window, 'second')).toMatch(/of [23]$/)
  await endSearch(window)

  await openPage(window, 'Machines')
  await openPage(window, 'Terminals')
  await expect(screen.locator('textarea')).toBeFocused()
  expect(await occurrences(window, 'GPU 0:')).toBe('1 of 1')
  await endSearch(window)
  expect(await violations(electron, window)).toEqual([])

  await window.getByTitle('Close terminal of train-llama-01').click()
  await window
    .getByRole('dialog', { name: 'Close this terminal?' })
    .getByRole('button', { name: 'Close terminal' })
    .click()
  await expect(window.getByText('No terminal is open')).toBeVisible()
  await pictureInBothThemes(electron, window, 'No terminal')

  // The same machine from every other tool, by its name: with consent, and restored after a withdrawal.
  const inSsh = (name: string): string => join(place.home, '.ssh', name)
  await mkdir(join(place.home, '.ssh'), { recursive: true })
  await writeFile(inSsh('config'), 'Host mine')
  await openPage(window, 'Settings')
  await openPage(window, 'Machines')
  const again = await openMachine(window, 'train-llama-01')
  await again.getByRole('link', { name: 'Set up SSH aliases' }).click()
  const wanted = window.getByRole('checkbox', { name: 'Add an alias for each machine' })
  await wanted.click()
  await expect(wanted).toBeChecked()
  await window.getByText(/^Preview ·/).click()
  await pictureInBothThemes(electron, window, 'SSH aliases')
  expect(await violations(electron, window)).toEqual([])
  // The tests' data folder is unusual, so it is a separate profile.
  const config = await readFile(inSsh('config'), 'utf8')
  expect(config).toMatch(/^Include wheelhouse-[0-9a-f]{8}\.conf\nHost mine$/)
  const file = /wheelhouse-.*/.exec(config)?.[0] ?? ''
  expect(await readFile(inSsh(file), 'utf8')).toContain('\nHost train-llama-01\n')
  await openPage(window, 'Machines')
  const named = await openMachine(window, 'train-llama-01')
  await expect(named.getByText('ssh train-llama-01', { exact: true })).toBeVisible()
  await pictureInBothThemes(electron, window, 'A machine with an SSH alias')
  await openPage(window, 'Settings')
  await wanted.click()
  await expect(wanted).not.toBeChecked()
  expect(await readFile(inSsh('config'), 'utf8')).toBe('Host mine')
  expect(await readdir(join(place.home, '.ssh'))).toEqual(['config'])
})

test('an ended session shows that, and restarts in the same terminal @deep', async ({ start }) => {
  const { electron, window } = await start()
  const narrow = () => resize(electron, [820, 700])
  const wide = () => resize(electron, [1360, 860])
  await lookAround(window)
  await openPage(window, 'Machines')
  await machineNames(window)
  for (const name of ['train-llama-01', 'train-llama-02']) {
    await openPage(window, 'Machines')
    const panel = await openMachine(window, name)
    const inside = panel.getByRole('button', { name: 'Open here' })
    if (name === 'train-llama-01') {
      await narrow()
      const tops = await Promise.all(
        [panel.getByRole('button', { name: /^Connect/ }), inside].map(
          async (one) => (await one.boundingBox())?.y,
        ),
      )
      expect(new Set(tops).size).toBe(1)
      await pictureInBothThemes(electron, window, 'Two ways to connect, in a narrow window')
      await wide()
    }
    await inside.click()
    await expect.poll(() => occurrences(window, `@${name}:~`)).toBe('1 of 1')
    await endSearch(window)
  }
  await typeLine(window, 'exit')
  await expect(window.getByText(/^Session ended \(exit code \d+\)\.$/)).toBeVisible()
  await expect(window.getByRole('button', { name: 'Reconnect' })).toBeFocused()
  await pictureInBothThemes(electron, window, 'A session that has ended')
  await window.keyboard.press('Enter')
  const typed = window.getByRole('tabpanel').locator('textarea')
  await expect(typed).toBeFocused()
  await expect.poll(() => occurrences(window, '@train-llama-02:~')).toMatch(/of [23]$/)
  await pictureInBothThemes(electron, window, 'Matches in a terminal')
  for (const theme of ['dark', 'light'] as const) {
    await electron.evaluate(({ nativeTheme }, source) => (nativeTheme.themeSource = source), theme)
    const accent = palettes[theme].accent.slice(1)
    const parts = [0, 2, 4].map((at) => Number.parseInt(accent.slice(at, at + 2), 16))
    await expect(window.locator('.xterm-find-result-decoration[style*="outline"]')).toHaveCSS(
      'outline-color',
      `rgb(${parts.join(', ')})`,
    )
  }
  await electron.evaluate(({ nativeTheme }) => (nativeTheme.themeSource = 'system'))
  await endSearch(window)

  // Tab goes to the shell. Keys lead out of a terminal, from tab to tab, and in again.
  const tab = (name: string) => window.getByRole('tab', { name })
  await window.keyboard.press('Tab')
  await expect(typed).toBeFocused()
  await window.keyboard.press('Control+Tab')
  await expect(tab('train-llama-01')).toHaveAttribute('aria-selected', 'true')
  await expect(typed).toBeFocused()
  await window.keyboard.press('Control+Shift+L')
  await expect(tab('train-llama-01')).toBeFocused()
  await window.keyboard.press('ArrowRight')
  await expect(tab('train-llama-02')).toBeFocused()
  await window.keyboard.press('ArrowRight')
  await expect(tab('train-llama-01')).toBeFocused()
  await pictureInBothThemes(electron, window, 'On the tab of a terminal')
  await window.keyboard.press('Enter')
  await expect(typed).toBeFocused()
  await window.keyboard.press('Control+Shift+L')
  await window.keyboard.press('Delete')
  await window.getByRole('dialog', { name: 'Close this terminal?' }).press('Escape')
  await expect(typed).toBeFocused()
  // The mouse leaves the focus in the terminal.
  await window.getByRole('button', { name: 'Larger text' }).click()
  await expect(typed).toBeFocused()

  // A crashed or reloaded window shows the sessions' output.
  await window.reload()
  await expect(window.getByRole('tab')).toHaveCount(2)
  await expect.poll(() => occurrences(window, '@train-llama-02:~')).toMatch(/of [23]$/)
  await endSearch(window)

  for (const name of ['serve-embeddings', 'notebook-anna', 'notebook-anna']) {
    await openPage(window, 'Machines')
    await (await openMachine(window, name)).getByRole('button', { name: 'Open here' }).click()
    await expect.poll(() => occurrences(window, `@${name}:~`)).toBe('1 of 1')
  }
  await narrow()
  // Elsewhere its matches are no longer marked.
  await window.keyboard.press('Escape')
  await pictureInBothThemes(electron, window, 'Five terminals in a narrow window')
  // Machines with similar names differ at their end.
  for (const number of [1, 2]) {
    const notebook = tab(`notebook-anna (${String(number)})`)
    await notebook.scrollIntoViewIfNeeded()
    await expectWithin(notebook.locator(`.short[data-end="anna (${String(number)})"]`), notebook)
  }
  const allTabs = window.getByRole('button', { name: 'All tabs' })
  await allTabs.click()
  await expect(window.getByRole('menuitem')).toHaveText([
    'train-llama-01',
    'train-llama-02',
    'serve-embeddings',
    'notebook-anna (1)',
    'notebook-anna (2)',
  ])
  await pictureInBothThemes(electron, window, 'The menu of all tabs')
  await window.getByRole('menuitem', { name: 'train-llama-01' }).click()
  await expect(tab('train-llama-01')).toHaveAttribute('aria-selected', 'true')
  await expect(tab('train-llama-01')).toBeInViewport({ ratio: 1 })
  await expect(typed).toBeFocused()
  await wide()
  await expect(allTabs).toBeHidden()
})

test('a service of a machine opens in the browser, through a tunnel that ends when it is stopped', async ({
  start,
}) => {
  const { electron, window } = await start()
  await electron.evaluate(({ shell }) => {
    // No browser of this computer is opened.
    shell.openExternal = (url) => Promise.resolve(void Reflect.set(globalThis, 'openedPage', url))
  })
  const opened = () => electron.evaluate(() => String(Reflect.get(globalThis, 'openedPage')))
  await lookAround(window)
  await openPage(window, 'Machines')
  await machineNames(window)
  const panel = await openMachine(window, 'train-llama-01')
  await panel.getByRole('tab', { name: 'Services' }).click()
  await expect(panel.getByRole('heading', { name: 'May Wheelhouse use SSH on your machines?' })).toBeVisible()
  await pictureInBothThemes(electron, window, 'The question about SSH')
  await panel.getByRole('button', { name: 'Allow on all machines' }).click()
  await expect(panel.getByRole('list').getByText('TensorBoard', { exact: true })).toBeVisible({
    timeout: 20_000,
  })
  // The other tabs work without another question.
  await panel.getByRole('tab', { name: 'Files' }).click()
  await expect(panel.getByRole('grid', { name: 'Files in /home/ubuntu' })).toBeVisible({ timeout: 20_000 })
  await panel.getByRole('tab', { name: 'GPU', exact: true }).click()
  await expect(panel.getByRole('list', { name: 'GPUs' })).toBeVisible({ timeout: 20_000 })
  // The Connection tab turns one of them off for this machine.
  await panel.getByRole('tab', { name: 'Connection' }).click()
  await panel.getByRole('checkbox', { name: 'Files' }).click()
  await pictureInBothThemes(electron, window, 'Uses of SSH on one machine')
  await panel.getByRole('tab', { name: 'Files' }).click()
  await expect(
    panel.getByRole('heading', { name: 'Files: SSH is turned off for this machine' }),
  ).toBeVisible()
  await panel.getByRole('button', { name: 'Turn on' }).click()
  await expect(panel.getByRole('grid', { name: 'Files in /home/ubuntu' })).toBeVisible({ timeout: 20_000 })
  await panel.getByRole('tab', { name: 'Services' }).click()
  await panel.getByRole('button', { name: 'Open Jupyter in the browser' }).first().click()

  await expect.poll(opened).toContain('token=')
  const url = new URL(await opened())
  expect([url.hostname, url.searchParams.get('token')]).toEqual(['127.0.0.1', 'practice'])
  expect(await (await fetch(url)).text()).toContain('This page stands for Jupyter')
  await expect(window.locator('body')).not.toContainText('practice')
  const forwards = panel.getByRole('region', { name: 'Forwarded ports' })
  await expect(forwards.getByText(`127.0.0.1:${url.port}`)).toBeVisible()
  expect(await violations(electron, window)).toEqual([])
  await pictureInBothThemes(electron, window, 'Services of a machine')

  await openPage(window, 'Terminals')
  const all = window.getByRole('region', { name: 'Forwarded ports' })
  await expect(all).toContainText('train-llama-01')
  await pictureInBothThemes(electron, window, 'Forwarded ports')
  await all.getByRole('button', { name: 'Stop forwarding Jupyter' }).click()
  await expect(all).toBeHidden()
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('Connect opens the terminal in Wheelhouse if the external one fails, with the reason', async ({
  start,
  place,
}) => {
  const bin = join(place.home, 'bin')
  await mkdir(bin)
  const script = '#!/bin/sh\necho "cannot open display" >&2\nexit 1\n'
  await writeFile(join(bin, 'kitty'), script, { mode: 0o755 })
  const { electron, window } = await start({ PATH: `${bin}:${process.env['PATH'] ?? ''}` })
  await lookAround(window)
  await chooseTerminal(window, /^kitty/)
  await machineNames(window)
  const panel = await openMachine(window, 'train-llama-01')
  // Before the notice: it stays while the pointer is on it, and would move away.
  await resize(electron, narrowSize)
  await panel.getByRole('button', { name: /^Connect/ }).click()
  const said = window.locator('.n-message', { hasText: 'Couldn’t open kitty: cannot open display.' })
  await said.hover()
  await expect(
    window.getByRole('tabpanel', { name: 'Terminal of train-llama-01' }).locator('textarea'),
  ).toBeFocused()
  // The notice covers no important control.
  await expectApart(said, window.getByRole('button', { name: /^Account: / }))
  await expectApart(said, window.getByRole('banner').getByText(/USD\/h/))
  await expectApart(said, window.getByRole('tab', { name: 'train-llama-01' }))
  await pictureInBothThemes(electron, window, 'A toast in a narrow window')
  // A later notice may have moved it away from the pointer.
  await said.hover()
  expect(await violations(electron, window)).toEqual([])
  await window.getByRole('button', { name: 'Settings', exact: true }).click()
  await expect(window.getByRole('radio', { name: /^kitty/ })).toBeVisible()
})
