import { type ElectronApplication, expect } from '@playwright/test'
import type { Menu } from 'electron'
import { trayItemsIn } from '../../../src/main/desktop/tray-host'
import { output, run } from './command'
import { click, press, windows } from './screen'

/** The panel's plugins run in programs of this class. */
const trayClass = '^wrapper-2.0$'

const placeOf = async (window: string) => {
  const geometry = await output('xdotool', 'getwindowgeometry', '--shell', window)
  const value = (name: string) => Number(new RegExp(`^${name}=(\\d+)$`, 'm').exec(geometry)?.[1])
  return { x: value('X'), y: value('Y'), width: value('WIDTH'), height: value('HEIGHT') }
}

/** Place of the tray's icons: at the upper edge of the screen; menus and tooltips open below. */
const trayPlace = async () => {
  const places = await Promise.all((await windows('--class', trayClass)).map(placeOf))
  const place = places.find(({ y }) => y === 0)
  if (!place) throw new Error('the panel shows no tray')
  return place
}

const call = async (destination: string, path: string, method: string, ...args: readonly string[]) =>
  run('gdbus', [
    'call',
    '--session',
    '--dest',
    destination,
    '--object-path',
    path,
    '--method',
    method,
    '--',
    ...args,
  ])

const properties = 'org.freedesktop.DBus.Properties.Get'

/** Icons that the panel's tray hosts, each as the bus name and path it was registered with. */
const trayItems = async () => {
  const name = 'org.kde.StatusNotifierWatcher'
  return trayItemsIn(
    await call(name, '/StatusNotifierWatcher', properties, name, 'RegisteredStatusNotifierItems'),
  )
}

/** The only icon in the tray, as soon as it exists. */
const onlyItem = async () => {
  await expect.poll(async () => (await trayItems()).length, { message: 'icons in the tray' }).toBe(1)
  const [item] = await trayItems()
  if (!item) throw new Error('the icon has left the tray')
  return item
}

/** The lines of the icon's menu, in order, as the panel received them; `depth`: 1 without submenus. */
const linesTo = async (depth: 1 | -1) => {
  const { bus, path } = await onlyItem()
  // Electron 43 moved the menu, so the icon reports its path.
  const menu = await call(bus, path, properties, 'org.kde.StatusNotifierItem', 'Menu')
  const layout = await call(
    bus,
    /'(\/[^']+)'/.exec(menu)?.[1] ?? '/com/canonical/dbusmenu',
    'com.canonical.dbusmenu.GetLayout',
    '0',
    String(depth),
    '@as []',
  )
  return [...layout.matchAll(/\{([^{}]*'label': <(?:'((?:[^'\\]|\\.)*)'|"([^"]*)")>[^{}]*)\}/g)].map(
    ([, properties, single, double]) => ({
      label: (single ?? double ?? '').replaceAll('__', '_'),
      takesKeys: !properties?.includes("'enabled': <false>"),
    }),
  )
}

/** The labels of the icon's menu and its submenus. */
export const trayMenuLabels = async (): Promise<readonly string[]> =>
  (await linesTo(-1)).map(({ label }) => label)

/**
 * Goes down to the line of the open menu that starts with `label`. Going up from the end would reach Quit if the panel
 * loses a key.
 */
export const goToInTrayMenu = async (label: string): Promise<void> => {
  const lines = (await linesTo(1)).filter(({ takesKeys }) => takesKeys)
  const index = lines.findIndex((line) => line.label.startsWith(label))
  if (index < 0) throw new Error(`the menu of the tray has no line ${label}`)
  await press(...Array.from({ length: index + 1 }, () => 'Down'))
}

/** Chooses the line of the open menu that starts with `label`. */
export const chooseInTrayMenu = async (label: string): Promise<void> => {
  await goToInTrayMenu(label)
  await press('Return')
}

export const trayTooltip = async (): Promise<string> => {
  const { bus, path } = await onlyItem()
  const name = 'org.kde.StatusNotifierItem'
  return call(bus, path, properties, name, 'ToolTip')
}

/** Menus of the panel on the screen; its tooltips are windows too. */
const menusShown = async (): Promise<number> => {
  const types = (await windows('--class', trayClass)).map((window) =>
    output('xprop', '-id', window, '_NET_WM_WINDOW_TYPE').catch(() => ''),
  )
  return (await Promise.all(types)).filter((type) => /_(POPUP|DROPDOWN)_MENU/.test(type)).length
}

/**
 * Number of the tray's pixels in the icon's accent colour: none without an icon. `picture`: a file, or x:root for the
 * current screen.
 */
export const accentPixelsOfTray = async (picture: string): Promise<number> => {
  const { x, y, width, height } = await trayPlace()
  const pixels = await output(
    ...(['convert', picture, '-crop', `${width}x${height}+${x}+${y}`] as const),
    '-fill',
    'black',
    '+opaque',
    '#14a08b',
    '-fill',
    'white',
    '-opaque',
    '#14a08b',
    '-format',
    '%[fx:mean*w*h]',
    'info:',
  )
  return Number(pixels)
}

/**
 * Lines of the menu wait ten seconds if nothing reports that it was closed, as on Linux. Here every new menu is
 * reported closed immediately, as on other systems.
 */
export const reportClosedMenus = async (electron: ElectronApplication): Promise<void> =>
  electron.evaluate(({ Tray }) => {
    Tray.prototype.setContextMenu = new Proxy(Tray.prototype.setContextMenu, {
      apply(show, tray, [menu]: [Menu | null]) {
        Reflect.apply(show, tray, [menu])
        menu?.emit('menu-will-close')
      },
    })
  })

/** Opens the icon's menu like a user, and waits until it is on the screen. */
export const openTrayMenu = async (): Promise<void> => {
  await onlyItem()
  // Until the panel has drawn the icon, a click opens the panel's own menu.
  await expect.poll(() => accentPixelsOfTray('x:root'), { message: 'the icon drawn' }).toBeGreaterThan(20)
  const { x, y, width, height } = await trayPlace()
  // A menu that an earlier attempt left open receives the keys.
  await expect(async () => {
    if ((await menusShown()) === 0) return
    await press('Escape')
    await expect.poll(menusShown, { message: 'the tray without a menu', timeout: 1_000 }).toBe(0)
  }).toPass()
  await click(x + width / 2, y + height / 2, 'right')
  await expect.poll(menusShown, { message: 'the menu of the tray' }).toBeGreaterThan(0)
}
