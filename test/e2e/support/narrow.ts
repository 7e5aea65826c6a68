import type { ElectronApplication, Locator, Page } from '@playwright/test'
import { expect } from '@playwright/test'

/** Width of a new user's first window, in pixels. */
export const narrow = [900, 700] as const

export const resize = (electron: ElectronApplication, [width, height]: readonly [number, number]) =>
  electron.evaluate(
    ({ BrowserWindow }, [across, down]) => BrowserWindow.getAllWindows()[0]?.setContentSize(across, down),
    [width, height] as const,
  )

/** Checks that nothing of `inner` is cut at the edges of `outer`. */
export async function expectWithin(inner: Locator, outer: Locator): Promise<void> {
  await expect(inner).toBeVisible()
  await expect(async () => {
    const [small, large] = [await inner.boundingBox(), await outer.boundingBox()]
    if (!small || !large) throw new Error('one of them is not shown')
    expect(small.width).toBeGreaterThan(0)
    expect(small.x).toBeGreaterThanOrEqual(large.x)
    expect(small.x + small.width).toBeLessThanOrEqual(large.x + large.width)
  }).toPass({ timeout: 10_000 })
}

/** Checks that the elements do not overlap. */
export async function expectApart(one: Locator, other: Locator): Promise<void> {
  const [left, right] = [await one.boundingBox(), await other.boundingBox()]
  if (!left || !right) throw new Error('one of them is not shown')
  const isBeside = left.x + left.width <= right.x || right.x + right.width <= left.x
  const isAbove = left.y + left.height <= right.y || right.y + right.height <= left.y
  expect(isBeside || isAbove).toBe(true)
}

/** Returns buttons, tabs and links beyond the window's right edge, and whether the page scrolls sideways. */
export const beyondEdge = (window: Page): Promise<readonly string[]> =>
  window.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    const isBeyond = (element: Element): boolean => {
      const { width, right } = element.getBoundingClientRect()
      return width > 0 && right > clientWidth + 1 && !element.closest('[role=grid], table, .scrolls')
    }
    const beyond = [...document.querySelectorAll('button, a, [role=tab], input')].filter(isBeyond)
    const texts = beyond.map((element) => element.getAttribute('aria-label') ?? element.textContent.trim())
    return scrollWidth > clientWidth ? ['the page', ...texts] : texts
  })
