import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type ElectronApplication, expect, type Page } from '@playwright/test'
import { z } from 'zod'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const Violations = z.array(
  z.object({
    id: z.string(),
    nodes: z.array(z.object({ target: z.array(z.unknown()), failureSummary: z.string() })),
  }),
)

/** What the accessibility checker finds wrong with the page, in dark and in light. */
export const violations = async (electron: ElectronApplication, window: Page): Promise<readonly string[]> => {
  const found: string[] = []
  for (const theme of ['dark', 'light'] as const) {
    await electron.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source
    }, theme)
    await expect
      .poll(() => window.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches))
      .toBe(theme === 'dark')
    await window.evaluate(axe)
    const result: unknown = await window.evaluate(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    )
    for (const { id, nodes } of Violations.parse(result)) {
      found.push(
        ...nodes.map(({ target, failureSummary }) => `${theme} ${id} ${target.join(' ')}: ${failureSummary}`),
      )
    }
  }
  return found
}
