import { join } from 'node:path'
import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import { translate } from '#shared/messages/index'
import { systemClock } from '../core/clock'
import { trayIconFile } from './tray-icon'
import { menuLabel, show, type TrayAction, type TrayItem } from './tray-item'
import { createTrayUpdates } from './tray-updates'

const menuOf = (
  items: readonly TrayItem[],
  act: (action: TrayAction) => void,
): MenuItemConstructorOptions[] =>
  items.map((item): MenuItemConstructorOptions => {
    if (item === 'separator') return { type: 'separator' }
    const label = menuLabel(item.label)
    if ('items' in item) return { label, submenu: menuOf(item.items, act) }
    if ('heading' in item) return { label, enabled: false }
    return { label, click: () => act(item.action) }
  })

/** Creates the tray icon. `images`: folder with the icons of `trayIconFile`. */
export function createTray(images: string, platform: NodeJS.Platform, act: (action: TrayAction) => void) {
  const image = (running: number) =>
    nativeImage.createFromPath(
      join(images, platform === 'darwin' ? 'trayTemplate.png' : trayIconFile(running)),
    )
  const tray = new Tray(image(0))
  tray.on('click', () => act(show(null)))
  const updates = createTrayUpdates(systemClock, (items) => {
    const menu = Menu.buildFromTemplate(
      menuOf(items, (action) => {
        // A selection closes the menu; Linux does not report that.
        updates.closed()
        act(action)
      }),
    )
    menu.on('menu-will-show', updates.opened)
    menu.on('menu-will-close', updates.closed)
    tray.setContextMenu(menu)
  })
  let summary = ''

  return {
    /** Updates the menu, and the icon and its texts if they changed. `running`: number of running machines. */
    show(running: number, perHour: string, menu: () => readonly TrayItem[]): void {
      updates.show(menu)
      const tooltip = [translate('desktop.tray.tooltip', { count: running }), perHour]
      const next = tooltip.filter((part) => part !== '').join(translate('common.listSeparator'))
      if (next === summary) return
      summary = next
      tray.setImage(image(running))
      tray.setToolTip(next)
      const title = [running > 0 ? String(running) : '', perHour]
      if (platform === 'darwin') tray.setTitle(title.filter((part) => part !== '').join(' · '))
    },
  }
}
