import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { z } from 'zod'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { resize } from './support/narrow'
import { pictureInBothThemes } from './support/pictures'
import { lookAround, machineNames, machineRows, openMachine, panelOf, showTab } from './support/window'

const machine = 'train-llama-01'
/** Sizes of the window in CSS pixels. */
const sizes = [
  ['1360 × 860', [1360, 860]],
  ['1000 × 700', [1000, 700]],
  ['1360 × 860 with text at 125 %', [1088, 688]],
] as const

const box = async (target: Locator) => {
  const place = await target.boundingBox()
  if (!place) throw new Error('it is not shown')
  return place
}
/** Left edges of the columns left of `end`, by name, and top edges of the rows. */
const placesIn = (window: Page, end: number) =>
  window.evaluate((limit) => {
    const placed = [...document.querySelectorAll('[role=grid] [role=columnheader]')].flatMap((header) => {
      const { left } = header.getBoundingClientRect()
      return left < limit ? [[header.textContent.trim(), left] as const] : []
    })
    const rows = [...document.querySelectorAll('[role=grid] [role=row]')].map((row) => [
      row.id,
      row.getBoundingClientRect().top,
    ])
    return { columns: placed, rows }
  }, end)
const separator = (panel: Locator) => panel.getByRole('separator', { name: 'Panel width' })
const tabs = (panel: Locator) => panel.getByRole('tablist', { name: 'Machine details' }).getByRole('tab')

for (const [title, size] of sizes)
  test(`a panel moves no row and no column of its list, ${title}${title === '1000 × 700' ? '' : ' @deep'}`, async ({
    start,
  }) => {
    const { electron, window } = await start()
    await lookAround(window)
    await machineNames(window)
    await resize(electron, size)
    await expect.poll(() => window.evaluate(() => innerWidth)).toBe(size[0])
    const panel = panelOf(window, machine)
    const row = machineRows(window).filter({ hasText: machine })
    const state = row.locator('.state')
    const before = await placesIn(window, Number.POSITIVE_INFINITY)

    // By mouse.
    await state.hover()
    await state.click()
    await expect(panel).toBeVisible()
    const end = await panel.evaluate((element) => element.getBoundingClientRect().left)
    const open = await placesIn(window, end)
    // The last column has the buttons.
    const shown = open.columns.length - 1
    expect(shown).toBeGreaterThan(2)
    expect(open.columns.slice(0, shown)).toEqual(before.columns.slice(0, shown))
    expect(open.rows).toEqual(before.rows)
    await expect(row).toHaveAttribute('aria-current', 'true')
    expect(await state.evaluate((cell) => cell.matches(':hover'))).toBe(true)
    await pictureInBothThemes(electron, window, `Panel, ${title}`)
    expect(await violations(electron, window)).toEqual([])

    // No text is cut at the panel: columns that don't fit are hidden, and the buttons of a row stay.
    const grid = window.getByRole('grid', { name: 'Machines' })
    expect(await grid.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    for (const cell of await row.getByRole('gridcell').all())
      expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await expect(row.getByRole('button', { name: /^(Connect to|Actions)/ }).last()).toBeInViewport({
      ratio: 1,
    })

    // By keyboard: Esc goes back to the list, Enter opens the panel.
    await window.keyboard.press('Escape')
    await expect(panel).toBeHidden()
    await expect(grid).toBeFocused()
    expect(await placesIn(window, Number.POSITIVE_INFINITY)).toEqual(before)
    await window.keyboard.press('Enter')
    await expect(panel).toBeVisible()
    expect((await placesIn(window, end)).columns).toEqual(open.columns)
  })

test('the divider of a panel moves by mouse and by keyboard, and its place is remembered', async ({
  start,
  place,
}) => {
  const first = await start()
  await lookAround(first.window)
  await machineNames(first.window)
  await resize(first.electron, [1360, 860])
  const panel = await openMachine(first.window, machine)
  const divider = separator(panel)
  const width = async () => Math.round((await box(panel)).width)
  expect(await width()).toBe(420)
  await expect(divider).toHaveAttribute('aria-valuenow', '420')
  await expect(divider).toHaveAttribute('aria-valuemin', '360')

  const { x, y, height } = await box(divider)
  const { mouse } = first.window
  await mouse.move(x + 4, y + height / 2)
  await mouse.down()
  await mouse.move(x - 96, y + height / 2, { steps: 4 })
  await mouse.up()
  expect(await width()).toBeGreaterThan(510)
  expect(await width()).toBeLessThan(525)
  const dragged = await width()
  await expect(divider).toHaveAttribute('aria-valuenow', String(dragged))

  await divider.dblclick()
  await expect.poll(width).toBe(420)
  await divider.press('ArrowLeft')
  await expect.poll(width).toBe(440)
  await divider.press('ArrowRight')
  await divider.press('ArrowRight')
  await expect.poll(width).toBe(400)
  await divider.press('End')
  await expect.poll(width).toBe(360)
  await pictureInBothThemes(first.electron, first.window, 'Narrowest panel')
  await divider.press('Home')
  const widest = Number(await divider.getAttribute('aria-valuemax'))
  await expect.poll(width).toBe(widest)
  await pictureInBothThemes(first.electron, first.window, 'Widest panel')
  await first.electron.close()

  const { window, electron } = await start()
  await machineNames(window)
  await resize(electron, [1360, 860])
  const again = await openMachine(window, machine)
  await expect(separator(again)).toHaveAttribute('aria-valuenow', String(widest))
  const Stored = z.object({ app: z.object({ panelWidth: z.number() }) })
  const stored: unknown = JSON.parse(readFileSync(join(place.userData, 'settings.json'), 'utf8'))
  expect(Stored.parse(stored).app.panelWidth).toBe(widest)
  // A smaller window leaves space for the list.
  await resize(electron, [900, 700])
  await expect.poll(async () => Math.round((await box(again)).width)).toBe(484)
})

test('a panel opens as a page by button, keyboard and palette, with everything in it', async ({ start }) => {
  const { electron, window } = await start()
  await lookAround(window)
  await machineNames(window)
  await resize(electron, [1000, 700])
  const panel = await openMachine(window, machine)
  await showTab(panel, 'Notes')
  await panel.getByRole('textbox', { name: 'Notes' }).fill('half a sentence')

  await panel.getByRole('button', { name: 'Open as page' }).click()
  const back = panel.getByRole('button', { name: 'Back to Machines' })
  await expect(back).toBeFocused()
  await expect(window.getByRole('grid', { name: 'Machines' })).toBeHidden()
  await expect(panel.getByRole('textbox', { name: 'Notes' })).toHaveValue('half a sentence')
  await expect(tabs(panel)).toHaveCount(11)
  await expect(separator(panel)).toBeHidden()
  await pictureInBothThemes(electron, window, 'Notes on the page')
  expect(await violations(electron, window)).toEqual([])

  await back.click()
  await expect(panel.getByRole('button', { name: 'Open as page' })).toBeFocused()
  await expect(machineRows(window).first()).toBeVisible()
  await window.keyboard.press('p')
  await expect(back).toBeFocused()
  await window.keyboard.press('Escape')
  await expect(separator(panel)).toBeVisible()
  await window.keyboard.press('Escape')
  await expect(panel).toBeHidden()

  // From the list, without a panel.
  await window.keyboard.press('p')
  await expect(back).toBeVisible()
  await back.click()
  await panel.getByRole('button', { name: 'Close the panel' }).click()
  await window.keyboard.press('Control+k')
  await window.keyboard.type(`${machine} open as page`)
  await window.keyboard.press('Enter')
  await expect(back).toBeVisible()

  // Another tab from the palette stays on the page.
  await window.keyboard.press('Control+k')
  await window.keyboard.type(`${machine} files`)
  await window.keyboard.press('Enter')
  await expect(panel.getByRole('tab', { name: 'Files' })).toHaveAttribute('aria-selected', 'true')
  await expect(back).toBeVisible()

  await panel.getByRole('button', { name: 'Allow on all machines' }).click()
  const files = panel.getByRole('grid', { name: /^Files in/ })
  await expect(files.getByRole('row').nth(1)).toBeVisible()
  const spaceBelow = async () => {
    const { y, height } = await box(files)
    return (await window.evaluate(() => innerHeight)) - y - height
  }
  expect(await spaceBelow()).toBeLessThan(90)
  await pictureInBothThemes(electron, window, 'Files on the page')
  await back.click()
  expect(await spaceBelow()).toBeLessThan(90)
  await pictureInBothThemes(electron, window, 'Files in the panel')
})

test('all tabs are reachable in the narrowest panel, the most used first', async ({ start, place }) => {
  writeFileSync(
    join(place.userData, 'settings.json'),
    JSON.stringify({
      window: { page: '/machines' },
      app: { panelWidth: 360, tabUses: { notes: 9, gpu: 3, cost: 2, connection: 1 } },
    }),
  )
  const { electron, window } = await start()
  await lookAround(window)
  await machineNames(window)
  await resize(electron, [1000, 700])
  const panel = await openMachine(window, machine)
  const inRow = await tabs(panel).allInnerTexts()
  expect(inRow.slice(0, 4)).toEqual(['Connection', 'GPU', 'Cost', 'Notes'])
  expect(inRow.length).toBeLessThan(9)
  const places = () => tabs(panel).evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().left))
  const before = await places()

  // By mouse: a tab of the menu appears at the end, and no tab moves.
  await showTab(panel, 'Firewall')
  expect((await places()).slice(0, before.length)).toEqual(before)
  await expect(tabs(panel).last()).toHaveText('Firewall')
  await expect(tabs(panel).last()).toBeFocused()
  await pictureInBothThemes(electron, window, 'Tab of the menu')
  await panel.getByRole('button', { name: 'More tabs' }).click()
  await pictureInBothThemes(electron, window, 'Menu of tabs')
  await window.keyboard.press('Escape')

  // By keyboard: the arrows go through the row and the menu.
  await tabs(panel).first().click()
  const seen = new Set<string>()
  for (let presses = 0; presses < 11; presses += 1) {
    await window.keyboard.press('ArrowRight')
    const selected = panel.getByRole('tab', { selected: true })
    await expect(selected).toBeFocused()
    seen.add(await selected.innerText())
  }
  expect(seen.size).toBe(11)
  await expect(tabs(panel).first()).toBeFocused()
  await window.keyboard.press('End')
  await window.keyboard.press('Tab')
  await expect(panel.getByRole('button', { name: 'More tabs' })).toBeFocused()
  expect(await violations(electron, window)).toEqual([])

  // The reading order of the connection.
  await showTab(panel, 'Connection')
  const labels = await panel.locator('dt').allInnerTexts()
  const order = ['User', 'Address', 'Identity file', 'Host key', 'Agent forwarding', 'SSH options', 'Started']
  expect(labels.filter((label) => order.includes(label))).toEqual(order)
})

test('the search box of a list does not move, and addresses have no ligatures @deep', async ({ start }) => {
  const { electron, window } = await start()
  await lookAround(window)
  await machineNames(window)
  await resize(electron, [1000, 700])
  const search = window.getByRole('textbox', { name: 'Filter machines' })
  const around = search.locator('..')
  const before = await box(around)
  const rows = await box(window.getByRole('grid', { name: 'Machines' }))
  await search.click()
  expect(await box(around)).toEqual(before)
  await search.fill('llama')
  expect(await box(around)).toEqual(before)
  expect(await box(window.getByRole('grid', { name: 'Machines' }))).toEqual(rows)
  await search.fill('no such machine')
  await expect(window.getByText('No matching machines')).toBeVisible()
  expect(await box(around)).toEqual(before)
  await search.fill('')
  const panel = await openMachine(window, machine)
  const ligatures = (target: Locator) =>
    target.evaluate((element) => getComputedStyle(element).fontVariantLigatures)
  expect(await ligatures(panel.locator('.mono').first())).toBe('none')
  expect(await ligatures(search)).toBe('none')
})
