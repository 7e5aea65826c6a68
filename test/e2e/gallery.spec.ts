import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { root } from './support/application'
import { openGallery } from './support/gallery'

const settled = /^\[/

test('every component in every state, in both themes', async () => {
  const gallery = await openGallery()
  const { page } = gallery
  try {
    await page.setViewportSize({ width: 2600, height: 720 })
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await page.goto(`${gallery.address}${process.env.GALLERY_ONLY ? `?only=${process.env.GALLERY_ONLY}` : ''}`)
    const html = page.locator('html')
    await expect(html).toHaveAttribute('data-gallery', settled, { timeout: 60_000 })
    console.log(await page.evaluate(() => [performance.now(), document.documentElement.scrollHeight].join()))
    console.log(await html.getAttribute('data-gallery'))
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.screenshot({
        path: join(root, `test-results/gallery-${theme}.png`),
        fullPage: true,
        animations: 'disabled',
      })
    }
  } finally {
    await gallery.close()
  }
})
