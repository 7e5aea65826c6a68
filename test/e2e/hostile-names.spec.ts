import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { askBridge, selectedAccount } from './support/bridge'
import { pictureInBothThemes } from './support/pictures'
import { renamedService } from './support/renamed-service'
import { chooseToConnect, connect, machineNames, machineRows, openPage } from './support/window'

test.use({ needs: ['ssh'] })

const hostileName =
  '\u202Emoc.live\u001b]0;owned\u0007\u001b]52;c;eA==\u0007<img src=x onerror="document.title=1">$(id)'
const shownName =
  '\uFFFDmoc.live\uFFFD]0;owned\uFFFD\uFFFD]52;c;eA==\uFFFD<img src=x onerror="document.title=1">$(id)'
const hostileUser = '-oProxyCommand=touch canary'

/** Markup and control characters in the page's visible and accessible text. */
const unguarded = (window: Page): Promise<readonly string[]> =>
  window.evaluate(() => {
    const harmful = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/u
    const texts = [document.title, document.body.innerText]
    for (const element of document.querySelectorAll('*'))
      for (const { value } of element.attributes) texts.push(value)
    return texts.filter((text) => harmful.test(text))
  })

test('hostile names and users are shown as text, and start nothing', async ({ start, place, service }) => {
  const hostile = await renamedService(service.baseUrl, { 'train-llama-01': hostileName, rocky: hostileUser })
  try {
    const { electron, window } = await start()
    await chooseToConnect(window)
    await connect(window, { ...service, baseUrl: hostile.baseUrl })
    expect(await machineNames(window)).toContain(shownName)
    const account = await selectedAccount(window)
    await askBridge(window, 'ssh.configureAccount', { account, port: service.sshPort })

    // The user's own terminal: its line is split into words before names are inserted.
    const [program, written] = [join(place.home, 'terminal'), join(place.home, 'written')]
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\0' "$@" > '${written}'\nexec sleep 5\n`, { mode: 0o755 })
    await openPage(window, 'Settings')
    await window.getByText('Custom command').click()
    const command = window.getByRole('textbox', { name: 'Command that opens your terminal' })
    await command.fill('$(touch canary) "{command}"')
    const form = window.locator('form').filter({ has: command })
    await command.press('Enter')
    await expect(form.getByText(/^Enter a program by name or full path/)).toBeVisible()
    await pictureInBothThemes(electron, window, 'A command that is none')
    await command.fill(`"${program}" --title={title} $(id) -e {command}`)
    await command.press('Enter')
    await expect(window.getByRole('radio', { name: /^Custom command/ })).toBeChecked()
    await expect(form.getByText(/^Enter a program by name or full path/)).toBeHidden()
    await pictureInBothThemes(electron, window, 'A command of one’s own')

    await openPage(window, 'Machines')
    await machineNames(window)
    await machineRows(window).filter({ hasText: shownName }).first().click()
    const panel = window.getByRole('complementary').filter({ hasText: 'moc.live' })
    await expect(panel.getByRole('tab', { name: 'Connection' })).toBeVisible()
    await panel.getByRole('button', { name: /^Connect/ }).click()
    // The shell creates the file before it is written.
    await expect.poll(() => existsSync(written) && readFileSync(written, 'utf8')).toMatch(/\0$/)
    const [title, literal, flag, ...session] = readFileSync(written, 'utf8').split('\0')
    expect(title).toMatch(/^--title=moc\.live \]0;owned \]52;c;eA== <img src=x/)
    expect([literal, flag]).toEqual(['$(id)', '-e'])
    expect(session[0]).toMatch(/\/ssh$/)

    await panel.getByRole('button', { name: 'Open here' }).click()
    await expect(window.getByRole('tab', { name: /moc\.live/ })).toHaveText(
      new RegExp(`^${shownName.slice(0, 9)}`),
    )
    await expect(window).toHaveTitle('Terminals · Wheelhouse')
    expect(await unguarded(window)).toEqual([])
    await pictureInBothThemes(electron, window, 'A terminal of a hostile name')

    // A user name that ssh would read as an option opens nothing.
    const { machines } = await askBridge(window, 'fleet.snapshot', { account })
    const refused = machines.find(({ username }) => username === hostileUser)
    expect(refused).toBeDefined()
    await openPage(window, 'Machines')
    await machineNames(window)
    await window
      .getByText(refused?.name ?? '', { exact: true })
      .first()
      .click()
    const other = window.getByRole('complementary').filter({ hasText: refused?.name ?? '' })
    await other.getByRole('button', { name: 'Open here' }).click()
    await expect(
      other.getByRole('alert').or(other.getByRole('status')).filter({ hasText: /user/i }).first(),
    ).toBeVisible()
    await pictureInBothThemes(electron, window, 'A user name that is none')
    expect(await askBridge(window, 'terminal.sessions', {})).toHaveLength(1)
    expect(await unguarded(window)).toEqual([])
    expect(existsSync(join(place.home, 'canary'))).toBe(false)
  } finally {
    hostile.close()
  }
})
