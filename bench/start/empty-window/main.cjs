// The yardstick of a start: an Electron window with one line of text, shown like ours.
const { app, BrowserWindow } = require('electron')

if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
void app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1360,
    height: 860,
    show: false,
    backgroundColor: '#0e1116',
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, spellcheck: false },
  })
  window.once('ready-to-show', () => window.show())
  // The fuses of the package open no files.
  void window.loadURL('data:text/html,<title>Empty window</title><p>An empty window')
})
