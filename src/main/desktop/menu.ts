import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import { translate } from '#shared/messages/index'

/**
 * Installs the application menu with the system's editing, zoom and window commands and their usual keys. On Linux and
 * Windows the bar stays hidden until Alt is pressed.
 */
export function installMenu(platform: NodeJS.Platform, open: (page: 'settings' | 'guide') => void): void {
  const settings: MenuItemConstructorOptions = {
    label: translate('desktop.menu.settings'),
    accelerator: 'CommandOrControl+,',
    click: () => open('settings'),
  }
  const application: MenuItemConstructorOptions =
    platform === 'darwin'
      ? {
          role: 'appMenu',
          submenu: [
            { role: 'about' },
            { type: 'separator' },
            settings,
            { type: 'separator' },
            { role: 'hide' },
            { role: 'hideOthers' },
            { role: 'unhide' },
            { type: 'separator' },
            { role: 'quit' },
          ],
        }
      : { label: app.getName(), submenu: [settings, { type: 'separator' }, { role: 'quit' }] }
  const view: MenuItemConstructorOptions = {
    label: translate('desktop.menu.view'),
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
      ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
    ],
  }
  const help: MenuItemConstructorOptions = {
    label: translate('desktop.menu.help'),
    role: 'help',
    submenu: [
      {
        label: translate('desktop.menu.guide'),
        accelerator: platform === 'darwin' ? 'Command+?' : 'F1',
        click: () => open('guide'),
      },
    ],
  }
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      application,
      // Only macOS has its item that closes a window in this menu.
      ...(process.platform === 'darwin' ? [{ role: 'fileMenu' } as const] : []),
      { role: 'editMenu' },
      view,
      { role: 'windowMenu' },
      help,
    ]),
  )
}
