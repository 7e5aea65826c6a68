import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { colourRules, violationsNow } from './support/accessibility'
import { root } from './support/application'
import { openGallery } from './support/gallery'

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
      for (const theme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
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
