// One empty window: the gallery is a page, and needs nothing of the application around it.
const { app, BrowserWindow } = require('electron')

void app.whenReady().then(() => new BrowserWindow({ width: 1280, height: 800 }).loadURL('about:blank'))
app.on('window-all-closed', () => app.quit())
