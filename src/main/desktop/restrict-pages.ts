import { app } from 'electron'

/**
 * Restricts every page and every session before anything is loaded: no navigation, new window, webview, permission,
 * device or download. Files are saved only through the main process's dialogs.
 */
export function restrictPages(): void {
  app.on('session-created', (session) => {
    // Chromium fetches a dictionary from the web for every session, even if no page checks its text.
    session.setSpellCheckerLanguages([])
    session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
    session.setPermissionCheckHandler(() => false)
    session.setDevicePermissionHandler(() => false)
    session.on('will-download', (event) => event.preventDefault())
  })
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
    contents.on('will-navigate', (event) => event.preventDefault())
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
  })
}
