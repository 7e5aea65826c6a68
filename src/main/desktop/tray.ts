import { join } from 'node:path'
import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import { translate } from '#shared/messages/index'
import type { TrayAction, TrayItem } from './tray-menu'

const menuOf = (
  items: readonly TrayItem[],
  act: (action: TrayAction) => void,
): MenuItemConstructorOptions[] =>
  items.map((item): MenuItemConstructorOptions => {
    if (item === 'separator') return { type: 'separator' }
    if ('items' in item) return { label: item.label, submenu: menuOf(item.items, act) }
    if ('heading' in item) return { label: item.label, enabled: false }
    return { label: item.label, click: () => act(item.action) }
  })

/** The icon in the system's tray. `images` holds the icons, one per number up to 9, then `9plus`. */
export function createTray(images: string, platform: NodeJS.Platform, act: (action: TrayAction) => void) {
  const image = (running: number) => {
    if (platform === 'darwin') return nativeImage.createFromPath(join(images, 'trayTemplate.png'))
    const name = running === 0 ? 'tray' : running > 9 ? 'tray-9plus' : `tray-${running}`
    return nativeImage.createFromPath(join(images, `${name}.png`))
  }
  const tray = new Tray(image(0))
  tray.on('click', () => act({ kind: 'open' }))
  let shown = ''

  return {
    /** Shows how many machines run, what is spent per hour, and the menu; does nothing where none has changed. */
    show(running: number, perHour: string, items: readonly TrayItem[]): void {
      const next = JSON.stringify([running, perHour, items])
      if (next === shown) return
      shown = next
      tray.setImage(image(running))
      const facts = [translate('desktop.tray.tooltip', { count: running }), perHour]
      tray.setToolTip(facts.filter((part) => part !== '').join(', '))
      const title = [running > 0 ? String(running) : '', perHour]
      if (platform === 'darwin') tray.setTitle(title.filter((part) => part !== '').join(' · '))
      tray.setContextMenu(Menu.buildFromTemplate(menuOf(items, act)))
    },
    close: (): void => tray.destroy(),
  }
}
