import { app } from 'electron'

/**
 * Restricts every page, whatever opens its window, and every session before anything is loaded in it: no navigation, no
 * other window, no webview, no permission, no device, no download. What is to be saved goes through main's own dialogs.
 */
export function restrictPages(): void {
  app.on('session-created', (made) => {
    // Chromium would fetch a dictionary from the web for every session, whether a page has its text checked or not.
    made.setSpellCheckerLanguages([])
    made.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
    made.setPermissionCheckHandler(() => false)
    made.setDevicePermissionHandler(() => false)
    made.on('will-download', (event) => event.preventDefault())
  })
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
    contents.on('will-navigate', (event) => event.preventDefault())
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
  })
}
