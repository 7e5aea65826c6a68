import { expect, type Locator, type Page } from '@playwright/test'
import { control } from '../../fixtures/sandbox-control'
import type { Sandbox } from './sandbox'
import { chooseToConnect, connect, machineNames } from './window'

// The window shows the end of a transition within seconds.
export const settling = { timeout: 30_000 }

/** Makes the service's states settle faster. */
export const settle = async (service: Sandbox): Promise<void> => {
  await control(service, 'POST', '/clock', { advance: 10 })
}

export const rows = (window: Page): Locator =>
  window.getByRole('grid', { name: 'Volumes' }).locator('[role=row][aria-selected]')
export const panelOf = (window: Page, volume: string): Locator =>
  window.getByRole('complementary', { name: `Volume ${volume}`, exact: true })

export const enter = async (window: Page, service: Sandbox): Promise<void> => {
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
}
export const openVolumes = async (window: Page): Promise<void> => {
  await window.getByRole('link', { name: /^Volumes/ }).click()
  await expect(rows(window).first()).toBeVisible()
}
export const openVolume = async (window: Page, volume: string): Promise<Locator> => {
  await rows(window)
    .filter({ has: window.getByText(volume, { exact: true }) })
    .click()
  await expect(panelOf(window, volume)).toBeVisible()
  return panelOf(window, volume)
}
export const openForm = async (window: Page): Promise<Locator> => {
  await window.getByRole('button', { name: 'Create volume' }).click()
  return window.getByRole('dialog', { name: 'Create a volume' })
}
