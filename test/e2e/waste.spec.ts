import type { Page } from '@playwright/test'
import { requestsTo } from '../fixtures/sandbox-control'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { byKeyboard, byMouse } from './support/hand'
import { expectWithin, resize } from './support/narrow'
import { pictureInBothThemes } from './support/pictures'
import { chooseToConnect, connect, machineNames, machineRows } from './support/window'

const found = { timeout: 90_000 }
const hands = [
  ['by mouse', () => byMouse],
  ['by keyboard', (window: Page) => byKeyboard(window)],
] as const

for (const [how, handOf] of hands)
  test(`waste is found, understood and ended in three clicks and the typed name, ${how}${how === 'by keyboard' ? '' : ' @deep'}`, async ({
    start,
    service,
  }) => {
    const { window, electron } = await start()
    const hand = handOf(window)
    /** The last of the groups, once it exists: the arrows wrap. */
    const showWaste = async (page: string) => {
      // The previous page has such groups too.
      await expect(window.getByRole('heading', { name: page, level: 1 })).toBeVisible()
      await expect(window.getByRole('radio', { name: /^Waste/ })).toBeVisible(found)
      await hand.press(window.getByRole('radio', { name: /^All/ }))
      await window.keyboard.press('ArrowLeft')
      await expect(window.getByRole('radio', { name: /^Waste/ })).toBeChecked()
    }
    await chooseToConnect(window)
    await connect(window, service)
    await machineNames(window)

    // The first click.
    await hand.press(window.getByRole('link', { name: /^Overview/ }))
    const waste = window.getByRole('region', { name: 'Waste of your accounts' })
    const total = waste.getByRole('heading', { level: 2 })
    await expect(total).toHaveText(/^Waste: [\d,.]+ USD\/h, [\d,.]+ USD so far$/, found)
    await hand.press(waste.getByText(/^Not checked \(\d+\)$/))
    await expect(waste.getByRole('listitem').filter({ hasText: 'GPU use not measured' })).not.toHaveCount(0)
    await pictureInBothThemes(electron, window, `Waste on the overview, ${how}`)
    await hand.press(waste.getByRole('button', { name: /^Show all/ }))
    const backup = waste.getByRole('listitem').filter({ hasText: 'forgotten-backup' })
    await expect(backup).toContainText('Unattached volume')
    await expect(backup).toContainText(/USD since created/)
    expect(await violations(electron, window)).toEqual([])
    const before = await total.innerText()

    // A narrow window has room for the state of a machine that is not checked.
    await resize(electron, [1_000, 900])
    const row = window
      .getByRole('region', { name: 'Running', exact: true })
      .getByRole('row')
      .filter({ has: window.getByRole('button', { name: /Not checked|Check now/ }) })
      .first()
    const check = row.getByRole('button', { name: /Not checked|Check now/ })
    await check.scrollIntoViewIfNeeded()
    await expectWithin(check, row.getByRole('cell').first())
    const isWhole = (label: Element): boolean => label.scrollWidth <= label.clientWidth
    expect(await check.locator('.cut').evaluate(isWhole)).toBe(true)
    await pictureInBothThemes(electron, window, `Machines that are not checked, narrow, ${how}`)
    await resize(electron, [1_440, 900])

    // The second, the name, and the third.
    await hand.press(backup.getByRole('button', { name: /^Delete… saves [\d.]+ USD\/h: forgotten-backup$/ }))
    const dialog = window.getByRole('dialog', { name: 'Delete forgotten-backup?' })
    await hand.write(dialog.getByRole('textbox'), 'forgotten-backup')
    await pictureInBothThemes(electron, window, `Before the waste is ended, ${how}`)
    await hand.press(dialog.getByRole('button', { name: 'Delete volume' }))
    await expect(dialog).toBeHidden(found)
    await expect(backup).toHaveCount(0, found)
    expect(await total.innerText()).not.toBe(before)
    // Ending waste lowers the rate, but not the waste so far.
    const [, rateBefore = '', soFarBefore = ''] = /Waste: ([\d,.]+) USD\/h, ([\d,.]+)/.exec(before) ?? []
    const [, rate = '', soFar = ''] = /Waste: ([\d,.]+) USD\/h, ([\d,.]+)/.exec(await total.innerText()) ?? []
    const number = (text: string): number => Number(text.replaceAll(',', ''))
    expect(number(rate)).toBeLessThan(number(rateBefore))
    expect(number(soFar)).toBeGreaterThanOrEqual(number(soFarBefore))
    await expect(waste).toContainText(/USD of it by resources that ended in the last 30 days/)
    await pictureInBothThemes(electron, window, `Waste after a part was ended, ${how}`)

    await hand.press(window.getByRole('button', { name: /^Alerts and notifications: / }))
    const bell = window.getByRole('dialog', { name: 'Alerts' })
    await expect(bell).toContainText(/Waste: [\d,.]+ USD\/h/)
    const entries = await bell.getByRole('list', { name: 'Alerts' }).getByRole('listitem').count()
    await expect(
      window.getByRole('button', { name: `Alerts and notifications: ${String(entries)}`, exact: true }),
    ).toBeVisible()
    await pictureInBothThemes(electron, window, `Waste in the bell, ${how}`)
    await window.keyboard.press('Escape')

    await hand.press(window.getByRole('link', { name: /^Machines/ }))
    await showWaste('Machines')
    await expect(machineRows(window).first()).toBeVisible()
    await pictureInBothThemes(electron, window, `Machines that are waste, ${how}`)
    await hand.press(window.getByRole('link', { name: /^Volumes/ }))
    await showWaste('Volumes')
    await pictureInBothThemes(electron, window, `Volumes that are waste, ${how}`)
    const deletions = async () =>
      (await requestsTo(service)).filter((request) => request.startsWith('DELETE'))
    expect(await deletions()).toEqual([expect.stringMatching(/^DELETE \/volumes\//)])

    await hand.press(window.getByRole('link', { name: /^Overview/ }))
    await hand.press(waste.getByRole('button', { name: 'Delete several…' }))
    const stopped = waste
      .getByRole('listitem')
      .filter({ has: window.getByRole('checkbox') })
      .filter({ hasText: 'Stopped' })
    const names: string[] = []
    for (const row of [stopped.nth(0), stopped.nth(1)]) {
      names.push(await row.getByRole('button', { name: /^Show / }).innerText())
      await hand.press(row.getByRole('checkbox'))
    }
    await pictureInBothThemes(electron, window, `Two are selected, ${how}`)
    await hand.press(waste.getByRole('button', { name: 'Delete 2 resources' }))
    const several = window.getByRole('dialog', { name: 'Delete 2 resources?' })
    const deleting = several.getByRole('button', { name: 'Delete 2 resources' })
    const look = several.getByRole('region', { name: 'What would be lost' })
    // The result of the look at each machine is shown before the number is typed.
    for (const name of names) {
      await expect(look.getByRole('heading', { name, level: 4 })).toBeVisible(found)
      await expect(look).toContainText(`Could not look at ${name}: `)
    }
    await expect(look.getByText('What would be lost is unknown.')).toHaveCount(2)
    await expect(deleting).toBeDisabled()
    await pictureInBothThemes(electron, window, `The look before two are deleted, ${how}`)
    await hand.write(several.getByRole('textbox'), '2')
    await pictureInBothThemes(electron, window, `Before two are deleted, ${how}`)
    await hand.press(deleting)
    await expect(window.getByRole('dialog', { name: /2 of 2 done/ })).toBeVisible(found)
    expect(await deletions()).toHaveLength(3)
  })
