import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { colourRules, violationsNow } from './support/accessibility'
import { root } from './support/application'
import { openGallery } from './support/gallery'
import { takesPictures } from './support/pictures'

/** Rules about whole pages: the gallery has hundreds of fragments. */
const pageRules = [
  'heading-order',
  'landmark-banner-is-top-level',
  'landmark-complementary-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-unique',
  'page-has-heading-one',
  'region',
]

/** Errors of all states, once they are mounted. */
async function problemsOf(page: Page): Promise<unknown> {
  const html = page.locator('html')
  await expect(html).toHaveAttribute('data-gallery', /^\[/, { timeout: 300_000 })
  return JSON.parse((await html.getAttribute('data-gallery')) ?? '[]')
}

/** Rows of lists with a cell higher than the row, which covers the next row. */
const spilling = (page: Page): Promise<readonly string[]> =>
  page
    .locator('[role=row]')
    .evaluateAll((rows) =>
      rows
        .filter((row) => [...row.children].some(({ clientHeight }) => clientHeight > row.clientHeight))
        .map((row) => (row.textContent ?? '').slice(0, 60)),
    )

/** Whole lists of hostile texts (states/hostile.ts). */
const hostileLists = { hasText: /· hostile list/ }
/** Hostile lists, and states with a megabyte of text. */
const hostile = { hasText: /· (?:hostile list|.*a megabyte)/ }

/** Unprocessed texts: so long that their layout takes seconds, or with characters that imitate other text. */
const unguarded = (page: Page): Promise<readonly string[]> =>
  page.locator('figure', hostile).evaluateAll((figures) => {
    const harmful = /[\u202A-\u202E\u2066-\u2069]|^[^]{5000}/u
    return figures.flatMap((figure) => {
      const title = figure.querySelector('figcaption')?.textContent ?? ''
      const texts: string[] = []
      const walker = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) texts.push(walker.currentNode.nodeValue ?? '')
      for (const named of figure.querySelectorAll('[title]')) texts.push(named.getAttribute('title') ?? '')
      return texts.filter((text) => harmful.test(text)).map((text) => `${title}: ${text.slice(0, 60)}`)
    })
  })

/** States of whole pages that are wider than their place. */
const overflowing = (page: Page): Promise<readonly string[]> =>
  page
    .locator('figure:has(.stage.whole)', hostileLists)
    .evaluateAll((figures) =>
      figures
        .filter((figure) =>
          [...figure.querySelectorAll('.stage')].some((one) => one.scrollWidth > one.clientWidth),
        )
        .map((figure) => figure.querySelector('figcaption')?.textContent ?? ''),
    )

/** Each mounted state slows down the next ones: five pages take a third of the time of one. */
const parts = [1, 2, 3, 4, 5]

test('every component in every state, in both themes', async () => {
  // Seconds on a quiet machine; the build and the checker take minutes on a busy one.
  test.setTimeout(900_000)
  const { page, address, close } = await openGallery()
  try {
    await page.setViewportSize({ width: 2676, height: 720 })
    for (const part of parts) {
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      await page.goto(`${address}?part=${String(part)}&of=${String(parts.length)}`, { timeout: 300_000 })
      expect(await problemsOf(page), 'warnings, errors and calls that nothing answers').toEqual([])
      expect(await page.locator('figure').count(), 'states of this part').toBeGreaterThan(0)
      expect(await page.evaluate('globalThis.galleryHarmed'), 'a text that ran').toBeUndefined()
      expect(await spilling(page), 'cells that are higher than their row').toEqual([])
      expect.soft(await unguarded(page), 'texts that are neither cut nor made harmless').toEqual([])
      expect.soft(await overflowing(page), 'pages that are wider than their place').toEqual([])
      for (const theme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        // Pictures take a third of the test's time and are only for people, like the contact sheet.
        if (takesPictures)
          await page.screenshot({
            path: join(root, `test-results/gallery-${theme}-${String(part)}.png`),
            fullPage: true,
            animations: 'disabled',
            timeout: 240_000,
          })
        const rules = theme === 'dark' ? { without: pageRules } : { only: colourRules }
        expect.soft(await violationsNow(page, rules), `${theme}, part ${String(part)}`).toEqual([])
      }
    }
  } finally {
    await close()
  }
})
