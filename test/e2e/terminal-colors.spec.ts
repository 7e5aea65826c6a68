import type { ElectronApplication, Page } from '@playwright/test'
import { terminalTheme } from '../../src/renderer/features/terminal/terminal-theme'
import { expect, test } from './fixtures'
import { gpuSwitches } from './support/application'
import { askBridge } from './support/bridge'
import { drawnColors } from './support/drawn-colors'
import { openBash } from './support/real-server'
import { typeLine } from './support/terminal'
import { lookAround } from './support/window'

test.use({ needs: ['ssh', 'sshd'] })

/** A colour in 24 bits, which no theme has. */
const own = '#78145a'
/**
 * Bars of full blocks in the colour of text, in red, and in a colour of 24 bits; the last as a background of spaces.
 */
const drawBars = (window: Page) =>
  typeLine(
    window,
    String.raw`clear; bar() { printf '\342\226\210%.0s' $(seq $1); }; bar 60; printf '\n\e[31m'; bar 40; printf '\n\e[48;2;120;20;90m%20s\e[m\n' ''`,
  )
const screenOf = (window: Page) => window.getByRole('tabpanel').locator('.xterm-screen')

/** Waits until the bars are drawn in the colours of the theme, and nothing large in any other. */
async function areDrawn(electron: ElectronApplication, window: Page, theme: 'light' | 'dark') {
  const { background, foreground, red } = terminalTheme(theme)
  await expect.poll(() => drawnColors(electron, screenOf(window))).toEqual([background, foreground, red, own])
}

/** While the terminal is on screen, as with the command palette. */
async function followsTheme(electron: ElectronApplication, window: Page) {
  for (const theme of ['light', 'dark', 'light'] as const) {
    await askBridge(window, 'settings.change', { theme })
    await areDrawn(electron, window, theme)
  }
}

test('a terminal’s content gets the colours of a new theme', async ({ start }) => {
  const { window, electron } = await start()
  await lookAround(window)
  const bash = await openBash(window)
  try {
    await drawBars(window)
    await expect(screenOf(window).locator('.xterm-rows')).toBeVisible()
    await followsTheme(electron, window)
  } finally {
    await bash.close()
  }
})

test('a graphics processor draws a terminal in the same colours, and the page does without one @deep', async ({
  start,
}) => {
  const { window, electron } = await start({}, gpuSwitches)
  await lookAround(window)
  const bash = await openBash(window)
  const screen = screenOf(window)
  const rows = screen.locator('.xterm-rows')
  /** Number of canvases that WebGL draws now. */
  const drawnWithGpu = () =>
    screen
      .locator('canvas')
      .evaluateAll(
        (all) =>
          all.filter(
            (one) => one instanceof HTMLCanvasElement && one.getContext('webgl2')?.isContextLost() === false,
          ).length,
      )
  const gpuProcess = () =>
    electron.evaluate(({ app }) => app.getAppMetrics().find(({ type }) => type === 'GPU')?.pid ?? 0)
  try {
    expect(await drawnWithGpu()).toBe(1)
    await expect(rows).toHaveCount(0)
    await drawBars(window)
    await followsTheme(electron, window)

    // The driver has crashed: Chromium restarts its process, and WebGL continues.
    const crashed = await gpuProcess()
    process.kill(crashed, 'SIGKILL')
    await expect.poll(gpuProcess).not.toBe(crashed)
    await expect.poll(drawnWithGpu).toBe(1)
    await followsTheme(electron, window)

    await screen.locator('canvas').evaluateAll((all) => {
      for (const one of all) {
        const context = one instanceof HTMLCanvasElement ? one.getContext('webgl2') : null
        context?.getExtension('WEBGL_lose_context')?.loseContext()
      }
    })
    await expect(rows).toBeVisible()
    expect(await drawnWithGpu()).toBe(0)
    await areDrawn(electron, window, 'light')
    await typeLine(window, `echo still-$((40+2))`)
    await expect(rows).toContainText('still-42')
    await followsTheme(electron, window)
  } finally {
    await bash.close()
  }
})
