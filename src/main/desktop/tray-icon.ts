/** Highest number of machines for which `npm run icons` draws an icon. */
const mostDrawn = 30

/** Returns the file of the tray icon for a number of running machines. Without a drawn number, the icon has none. */
export const trayIconFile = (running: number): string =>
  running > 0 && running <= mostDrawn ? `tray-${String(running)}.png` : 'tray.png'
