import { app, BrowserWindow } from 'electron'
import { systemClock } from '../core/clock'

/** Countries that print on Letter (CLDR, paper size). All others use A4. */
const letterCountries = ['US', 'CA', 'MX', 'PH', 'CL', 'CO', 'CR', 'GT', 'NI', 'PA', 'PR', 'SV', 'VE', 'BZ']

/** A hidden window draws nothing under Wayland, so a print might never finish there. */
const printTimeoutSeconds = 60

/** Returns the result of `task`, or fails with Error after `seconds`. */
async function inTime<Result>(task: Promise<Result>, seconds: number): Promise<Result> {
  let cancel: () => void = () => undefined
  const late = new Promise<never>((_resolve, reject) => {
    cancel = systemClock.after(seconds, () => reject(new Error(`not printed within ${String(seconds)} s`)))
  })
  try {
    return await Promise.race([task, late])
  } finally {
    cancel()
  }
}

/**
 * Prints `html` as PDF in a hidden window: sandboxed, without scripts, in a session that can load nothing. Fails with
 * Error.
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
    await window.loadURL(
      `data:text/html;charset=utf-8;base64,${Buffer.from(html, 'utf8').toString('base64')}`,
    )
    const printed = webContents.printToPDF({
      pageSize: letterCountries.includes(app.getLocaleCountryCode()) ? 'Letter' : 'A4',
      printBackground: true,
      generateTaggedPDF: true,
    })
    return await inTime(printed, printTimeoutSeconds)
  } finally {
    window.destroy()
  }
}
