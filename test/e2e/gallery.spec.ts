import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { colourRules, violationsNow } from './support/accessibility'
import { root } from './support/application'
import { openGallery } from './support/gallery'
import { takesPictures } from './support/pictures'

/** Rules about a page as a whole: here are hundreds of pieces of pages. */
const pageRules = [
  'heading-order',
  'landmark-banner-is-top-level',
  'landmark-complementary-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-unique',
  'page-has-heading-one',
  'region',
]

/** Once every state is mounted: what went wrong in any of them. */
async function problemsOf(page: Page): Promise<unknown> {
  const html = page.locator('html')
  await expect(html).toHaveAttribute('data-gallery', /^\[/, { timeout: 300_000 })
  return JSON.parse((await html.getAttribute('data-gallery')) ?? '[]')
}

/** Rows of lists with a cell that is higher than they are, and so covers the next row. */
const spilling = (page: Page): Promise<readonly string[]> =>
  page
    .locator('[role=row]')
    .evaluateAll((rows) =>
      rows
        .filter((row) => [...row.children].some(({ clientHeight }) => clientHeight > row.clientHeight))
        .map((row) => (row.textContent ?? '').slice(0, 60)),
    )

/** Whole lists of texts that were written to harm (states/hostile.ts). */
const hostileLists = { hasText: /· hostile list/ }
/** They, and all that holds a megabyte of text. */
const hostile = { hasText: /· (?:hostile list|.*a megabyte)/ }

/** Texts as they came: of a length that takes seconds to lay out, or with what makes them read as another text. */
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

/** Each state that stands makes the next ones slower: five pages take a third of the time of one. */
const parts = [1, 2, 3, 4, 5]

test('every component in every state, in both themes', async () => {
  // Seconds on a quiet machine; the build and the checker take a busy one minutes.
  test.setTimeout(900_000)
  const { page, address, close } = await openGallery()
  try {
    await page.setViewportSize({ width: 2676, height: 720 })
    for (const part of parts) {
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      await page.goto(`${address}?part=${String(part)}&of=${String(parts.length)}`)
      expect(await problemsOf(page), 'warnings, errors and calls that nothing answers').toEqual([])
      expect(await page.locator('figure').count(), 'states of this part').toBeGreaterThan(0)
      expect(await page.evaluate('globalThis.galleryHarmed'), 'a text that ran').toBeUndefined()
      expect(await spilling(page), 'cells that are higher than their row').toEqual([])
      expect.soft(await unguarded(page), 'texts that are neither cut nor made harmless').toEqual([])
      expect.soft(await overflowing(page), 'pages that are wider than their place').toEqual([])
      for (const theme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        // A third of the time of the whole test, for who looks at them: as the contact sheet.
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
