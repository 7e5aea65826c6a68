// Draws SVG files as pictures in Electron's Chromium: `electron FOLDER JOBS`, where JOBS is a file with [{
// svg, width, height }] in pixels. Writes [{ png, rgba }], both base64, to JOBS.drawn.
const { readFileSync, writeFileSync } = require('node:fs')
const { app, BrowserWindow } = require('electron')

/**
 * Runs in the page.
 *
 * @param {{ svg: string, width: number, height: number }} job
 */
const draw = async ({ svg, width, height }) => {
  const image = new globalThis.Image(width, height)
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = Object.assign(globalThis.document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.drawImage(image, 0, 0, width, height)
  let bytes = ''
  for (const byte of context.getImageData(0, 0, width, height).data) bytes += String.fromCharCode(byte)
  return { png: canvas.toDataURL('image/png').replace(/^.*,/, ''), rgba: btoa(bytes) }
}

app.disableHardwareAcceleration()
void app.whenReady().then(async () => {
  try {
    const file = process.argv.at(-1) ?? ''
    const window = new BrowserWindow({ show: false })
    await window.loadURL('data:text/html,')
    const drawn = []
    for (const job of JSON.parse(readFileSync(file, 'utf8')))
      drawn.push(await window.webContents.executeJavaScript(`(${draw.toString()})(${JSON.stringify(job)})`))
    writeFileSync(`${file}.drawn`, JSON.stringify(drawn))
    app.exit(0)
  } catch (error) {
    console.error(error)
    app.exit(1)
  }
})
