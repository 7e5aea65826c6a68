import type { ElectronApplication } from '@playwright/test'
import { z } from 'zod'
import { steadily } from './application'

const Shown = z.array(z.object({ title: z.string(), body: z.string() }))

/**
 * Catches the notifications that the application sends to the system from now on: nothing shows them under test, and
 * they could not be clicked.
 */
export const catchNotifications = async (electron: ElectronApplication) => {
  const caught = await electron.evaluateHandle(({ Notification }) => {
    const shown: Electron.Notification[] = []
    Notification.isSupported = () => true
    Notification.prototype.show = function (this: Electron.Notification) {
      shown.push(this)
    }
    return shown
  })
  return {
    shown: async () =>
      Shown.parse(
        await steadily(() => caught.evaluate((shown) => shown.map(({ title, body }) => ({ title, body })))),
      ),
    click: (title: string): Promise<void> =>
      steadily(() =>
        caught.evaluate((shown, wanted) => {
          shown.find((one) => one.title === wanted)?.emit('click')
        }, title),
      ),
  }
}
