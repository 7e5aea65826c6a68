// The yardstick in the background: an Electron application with only a tray icon.
const { app, nativeImage, Tray } = require('electron')

if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
const size = 22
let tray
void app.whenReady().then(() => {
  const image = nativeImage.createFromBitmap(Buffer.alloc(size * size * 4, 255), {
    width: size,
    height: size,
  })
  tray = new Tray(image)
  tray.setToolTip('Empty application')
})
