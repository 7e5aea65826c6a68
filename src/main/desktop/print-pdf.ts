import { app, BrowserWindow } from 'electron'

/** Countries that print on Letter (CLDR, paper size); the rest of the world on A4. */
const letterCountries = ['US', 'CA', 'MX', 'PH', 'CL', 'CO', 'CR', 'GT', 'NI', 'PA', 'PR', 'SV', 'VE', 'BZ']

/**
 * A document of ours as PDF. It is drawn by a window that nobody sees: sandboxed, without scripts, in a session of its
 * own that can load nothing. Fails with Error.
 */
export async function printPdf(html: string): Promise<Uint8Array> {
  const window = new BrowserWindow({
    show: false,
    webPreferences: {
      javascript: false,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      partition: 'print',
    },
  })
  try {
    const { webContents } = window
    webContents.session.webRequest.onBeforeRequest(({ url }, answer) =>
      answer({ cancel: !url.startsWith('data:') }),
    )
    webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
    await window.loadURL(
      `data:text/html;charset=utf-8;base64,${Buffer.from(html, 'utf8').toString('base64')}`,
    )
    return await webContents.printToPDF({
      pageSize: letterCountries.includes(app.getLocaleCountryCode()) ? 'Letter' : 'A4',
      printBackground: true,
      generateTaggedPDF: true,
    })
  } finally {
    window.destroy()
  }
}
