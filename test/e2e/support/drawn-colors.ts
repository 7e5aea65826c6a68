import type { ElectronApplication, Locator } from '@playwright/test'

/** Smaller than a few letters or the cursor; blocks and bars are larger. */
const leastPixels = 500

/** Returns the visible colours of an element as #rrggbb, the largest area first, from the screen itself. */
export const drawnColors = async (
  electron: ElectronApplication,
  shown: Locator,
): Promise<readonly string[]> => {
  const picture = await shown.screenshot({ animations: 'disabled' })
  const pixels = await electron.evaluate(
    ({ nativeImage }, encoded) =>
      nativeImage.createFromBuffer(Buffer.from(encoded, 'base64')).toBitmap().toString('base64'),
    picture.toString('base64'),
  )
  const bytes = Buffer.from(pixels, 'base64')
  const areas = new Map<string, number>()
  for (let at = 0; at < bytes.length; at += 4) {
    // Blue, green, red.
    const color = `#${bytes.readUIntLE(at, 3).toString(16).padStart(6, '0')}`
    areas.set(color, (areas.get(color) ?? 0) + 1)
  }
  return [...areas]
    .filter(([, area]) => area >= leastPixels)
    .sort(([, one], [, other]) => other - one)
    .map(([color]) => color)
}
