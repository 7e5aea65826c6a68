import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { z } from 'zod'
import { openBilling, rows, total } from '../e2e/support/billing'
import { output } from '../e2e/support/command'
import { pictureOfScreen } from '../e2e/support/pictures'
import { press, readableXterms, windowShown } from '../e2e/support/screen'
import { endSearch, occurrences } from '../e2e/support/terminal'
import { trayMenuLabels, trayTooltip } from '../e2e/support/tray'
import { chooseTerminal, lookAround, machineNames, openMachine, openPage } from '../e2e/support/window'
import * as installed from './installed'
import { enterPerson, type Person, processesOf, whyNoPerson } from './person'

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')))
/** Built from the same folder (scripts/test.mjs). */
const olderVersion = '0.0.9'
const installedVersion = () => output('dpkg-query', '-W', '-f=${Version}', installed.name)

test.skip(whyNoPerson() !== undefined, whyNoPerson())

test.describe('the deb', () => {
  let person: Person
  test.beforeAll(async () => {
    person = await enterPerson()
  })
  test.afterAll(async () => {
    for (const { pid } of await processesOf(installed.program)) process.kill(pid, 'SIGKILL')
    if ((await installed.traces()).length > 0) await installed.apt('purge', installed.name)
    await person.leave()
  })

  test('is installed, started from its desktop entry, upgraded with data kept, and removed', async () => {
    const begun = performance.now()
    await installed.apt('install', installed.packageFile(olderVersion, 'deb'))
    expect(await installedVersion()).toBe(olderVersion)
    await output('desktop-file-validate', installed.entry)
    expect(await output('gio', 'mime', 'x-scheme-handler/wheelhouse')).toContain(`${installed.name}.desktop`)
    expect(statSync(`${installed.home}/chrome-sandbox`)).toMatchObject({ uid: 0, mode: 0o104755 })
    expect(await installed.fuses()).toMatchObject({
      RunAsNode: 'Disabled',
      EnableCookieEncryption: 'Enabled',
      EnableNodeOptionsEnvironmentVariable: 'Disabled',
      EnableNodeCliInspectArguments: 'Disabled',
      EnableEmbeddedAsarIntegrityValidation: 'Enabled',
      OnlyLoadAppFromAsar: 'Enabled',
      LoadBrowserProcessSpecificV8Snapshot: 'Disabled',
      GrantFileProtocolExtraPrivileges: 'Disabled',
    })

    const xterms = readableXterms(person.folder('xterm'))
    const first = await installed.startFromEntry(person, xterms.env)
    await installed.expectSandboxed()
    // The class named in the desktop entry, by which desktops find the window's entry and icon.
    await windowShown('--class', `^${installed.name}$`)

    await expect(first.window.getByRole('heading', { name: 'Welcome to Wheelhouse' })).toBeVisible()
    await lookAround(first.window)
    await expect(first.window.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
    await openPage(first.window, 'Settings')
    await expect(
      first.window.getByText('Test build: only connects to services on this computer'),
    ).toBeVisible()

    await openPage(first.window, 'Machines')
    await chooseTerminal(first.window, /^xterm/)
    const panel = await openMachine(first.window, 'train-llama-01')
    await panel.getByRole('button', { name: /^Connect/ }).click()
    const xterm = await windowShown('--class', '^XTerm$')
    await expect.poll(() => xterms.screenOf(xterm)).toMatch(/^\S+@train-llama-01:~\$/m)
    const seconds = ((performance.now() - begun) / 1_000).toFixed(0)
    test.info().annotations.push({ type: 'seconds from the file to a prompt', description: seconds })
    await pictureOfScreen('SSH from the installed program')

    // A native module opens it, which is outside the archive.
    await panel.getByRole('button', { name: 'Open here' }).click()
    await expect(first.window.getByRole('tabpanel', { name: 'Terminal of train-llama-01' })).toBeVisible()
    await expect.poll(() => occurrences(first.window, '@train-llama-01:~')).toBe('1 of 1')
    await endSearch(first.window)
    await pictureOfScreen('A terminal inside the installed program')

    await openBilling(first.window, 'Statements')
    await expect(rows(first.window, 'Statements').first()).toBeVisible()
    await expect(total(first.window)).toContainText('USD')

    // One is being created when the sandbox starts, and runs before a busy computer gets here.
    await expect.poll(trayTooltip).toMatch(/ (?:9|10) machines running/)
    await expect.poll(trayMenuLabels).toContainEqual(expect.stringMatching(/^Sandbox · (?:9|10) running/))
    await first.quit()

    await installed.apt('install', installed.packageFile(version, 'deb'))
    expect(await installedVersion()).toBe(version)
    const second = await installed.startFromEntry(person)
    await openPage(second.window, 'Machines')
    expect(await machineNames(second.window)).toHaveLength(12)
    await openPage(second.window, 'Settings')
    await expect(second.window.getByRole('radio', { name: /^xterm/ })).toBeChecked()
    await pictureOfScreen('The upgraded program')
    await second.quit()

    // The guide's advice for failing graphics drivers.
    const third = await installed.startFromShell(person, ['--disable-gpu'])
    await expect(third.window.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
    await third.quit()

    await installed.apt('purge', installed.name)
    expect(await installed.traces()).toEqual([])
    expect(existsSync(join(person.home, '.config', installed.name, 'settings.json'))).toBe(true)
  })

  test('an AppImage without a sandbox explains that, and exits', async () => {
    await installed.apt('install', installed.packageFile(version, 'deb'))
    const ended = person.run(installed.program, ['--no-sandbox'], {
      APPIMAGE: '/home/ada/wheelhouse.AppImage',
    })
    await windowShown('--name', '^Error$')
    await pictureOfScreen('An AppImage without a sandbox')
    await press('Return')
    expect(await ended).toBe(1)
  })
})
