// One empty window: the gallery is a page, and needs nothing of the application around it.
const { app, BrowserWindow } = require('electron')

const look = { width: 1280, height: 800, webPreferences: { backgroundThrottling: false } }

void app.whenReady().then(() => new BrowserWindow(look).loadURL('about:blank'))
app.on('window-all-closed', () => app.quit())
