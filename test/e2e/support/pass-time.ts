import type { ElectronApplication, Page } from '@playwright/test'
import { control } from '../../fixtures/sandbox-control'
import type { Sandbox } from './sandbox'

/** Advances the time at the service, in the application and in its window. Their timers do not notice it. */
export async function passTime(
  { electron, window }: { readonly electron: ElectronApplication; readonly window: Page },
  service: Sandbox,
  seconds: number,
): Promise<void> {
  await control(service, 'POST', '/clock', { advance: seconds })
  await electron.evaluate((_electron, length) => {
    const before = Date.now
    Date.now = () => before() + length * 1_000
  }, seconds)
  await window.evaluate((length) => {
    const before = Date.now
    Date.now = () => before() + length * 1_000
  }, seconds)
}
