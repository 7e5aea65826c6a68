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

/**
 * Returns the accessibility problems of the current page. Rules by their ids: `only` these, or all `without` those.
 */
export const violationsNow = async (
  window: Page,
  { only, without = [] }: { readonly only?: readonly string[]; readonly without?: readonly string[] } = {},
): Promise<readonly string[]> => {
  // Half a megabyte: sent once a page.
  if ((await window.evaluate(`'axe' in globalThis`)) !== true) await window.evaluate(axe)
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
  const options = JSON.stringify({ resultTypes: ['violations'], ...(only ? { runOnly: only } : { rules }) })
  const result: unknown = await window.evaluate(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  )
  return Violations.parse(result).flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  )
}

/** The rules about colours: only they depend on the theme. */
export const colourRules = ['color-contrast', 'link-in-text-block']

/** Returns the accessibility problems of the page, in dark and in light. */
export const violations = async (electron: ElectronApplication, window: Page): Promise<readonly string[]> => {
  const found: string[] = []
  for (const theme of ['dark', 'light'] as const) {
    await electron.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source
    }, theme)
    await expect
      .poll(() => window.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches))
      .toBe(theme === 'dark')
    const rules = theme === 'dark' ? {} : { only: colourRules }
    found.push(...(await violationsNow(window, rules)).map((violation) => `${theme} ${violation}`))
  }
  return found
}
