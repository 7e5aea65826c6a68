import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures'
import { askBridge, selectedAccount } from './support/bridge'
import { resize } from './support/narrow'
import { pictureInBothThemes } from './support/pictures'
import { renamedService } from './support/renamed-service'
import { chooseToConnect, connect, machineNames, machineRows, panelOf } from './support/window'

const longName = 'finetune-llama-70b-instruct-for-eval-of-team-nlp-eu-07'
const medium = 'notebook-anna-experiments'

/** Whether the whole name is drawn; otherwise its start and end are. */
const isWhole = (name: Locator): Promise<boolean> =>
  name.evaluate((element) => {
    const [short, full] = element.children
    return !(short && full) || full.getBoundingClientRect().top < short.getBoundingClientRect().bottom - 2
  })

test('a long name is cut in its middle, after its tags and the free space', async ({ start, service }) => {
  const renamed = await renamedService(service.baseUrl, {
    'train-llama-01': longName,
    'notebook-anna': medium,
  })
  try {
    const { electron, window } = await start()
    await chooseToConnect(window)
    await connect(window, { ...service, baseUrl: renamed.baseUrl })
    expect(await machineNames(window)).toContain(longName)
    const account = await selectedAccount(window)
    const { machines } = await askBridge(window, 'fleet.snapshot', { account })
    for (const { id, name } of machines)
      if (name === longName || name === medium)
        await askBridge(window, 'notes.change', {
          account,
          resource: id,
          note: { text: '', tags: ['llama', 'team-nlp', 'until-friday'] },
        })

    await resize(electron, [1900, 900])
    const nameOf = (name: string) => machineRows(window).filter({ hasText: name }).locator('.name bdi')
    await expect.poll(() => isWhole(nameOf(longName))).toBe(true)
    await pictureInBothThemes(electron, window, 'Long names in a wide window')

    await resize(electron, [1000, 700])
    await expect.poll(() => isWhole(nameOf(longName))).toBe(false)
    await expect.poll(() => isWhole(nameOf(medium))).toBe(true)
    const row = machineRows(window).filter({ hasText: longName })
    await expect(row.getByTitle(longName).first()).toBeVisible()
    await expect(row.getByText('llama · team-nlp')).not.toBeInViewport()
    await pictureInBothThemes(electron, window, 'Long names in a narrow window')

    await row.click()
    const panel = panelOf(window, longName)
    await expect(panel.getByRole('heading', { name: longName })).toBeVisible()
    await panel.getByRole('button', { name: /^Actions for/ }).click()
    await window.getByRole('menuitem', { name: /^Stop/ }).click()
    await expect(window.getByRole('dialog').getByRole('heading').first()).toContainText('…')
    await pictureInBothThemes(electron, window, 'A long name in a dialog')
    await window.keyboard.press('Escape')
    await window.keyboard.press('Control+K')
    await window.keyboard.type('finetune')
    await expect(window.getByRole('option').filter({ hasText: longName }).first()).toBeVisible()
    await pictureInBothThemes(electron, window, 'A long name in the palette')
  } finally {
    renamed.close()
  }
})
