import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { pictureInBothThemes } from './support/pictures'
import { machine, openBash, shows } from './support/real-server'
import { endSearch, typeLine } from './support/terminal'
import { lookAround, openMachine, openPage } from './support/window'

test.use({ needs: ['ssh', 'sshd'] })

test('a bell marks the tab of a hidden terminal until it is shown @deep', async ({ start }) => {
  const { window, electron } = await start()
  await lookAround(window)
  const tab = (name: string) => window.getByRole('tab', { name, exact: true })
  const bash = await openBash(window)
  const print = (text: string) => appendFile(join(bash.folder, 'bell'), text)
  try {
    // Prints the test's text from a file, at the time of the test.
    await typeLine(window, 'echo ready-$((40+2)) > bell; tail -f bell')
    await shows(window, 'ready-42')
    await endSearch(window)
    await openPage(window, 'Machines')
    await (await openMachine(window, machine)).getByRole('button', { name: 'Open here' }).click()
    await expect(tab(`${machine} (2)`)).toHaveAttribute('aria-selected', 'true')
    await expect(tab(`${machine} (1)`)).toBeVisible()

    await print('rings-1 \x07\n')
    await expect(tab(`${machine} (1) bell rang`)).toBeVisible()
    expect(await violations(electron, window)).toEqual([])
    await pictureInBothThemes(electron, window, 'A bell in another tab')
    await tab(`${machine} (1) bell rang`).click()
    await expect(tab(`${machine} (1)`)).toHaveAttribute('aria-selected', 'true')

    await print('rings-2 \x07\n')
    await shows(window, 'rings-2')
    await expect(tab(`${machine} (1)`)).toBeVisible()
  } finally {
    await bash.close()
  }
})
