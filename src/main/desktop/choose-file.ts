import { homedir } from 'node:os'
import { extname, join } from 'node:path'
import { app, type BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron'
import { translate } from '#shared/messages/index'

/** Asks for an identity file in the system's own dialog: its path, or null where the person picks none. */
export async function chooseIdentityFile(window: BrowserWindow | undefined): Promise<string | null> {
  const options = {
    title: translate('desktop.chooseIdentity.title'),
    buttonLabel: translate('desktop.chooseIdentity.button'),
    defaultPath: join(homedir(), '.ssh'),
    properties: ['openFile', 'showHiddenFiles'],
  } satisfies OpenDialogOptions
  const choice = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))
  return choice.filePaths[0] ?? null
}

/** Asks for a file of certificate authorities in the system's own dialog: its path, or null where the person picks none. */
export async function chooseAuthorities(window: BrowserWindow | undefined): Promise<string | null> {
  const options = {
    title: translate('desktop.chooseAuthorities.title'),
    buttonLabel: translate('desktop.chooseAuthorities.button'),
    filters: [{ name: 'PEM, DER', extensions: ['pem', 'crt', 'cer', 'der'] }],
    properties: ['openFile'],
  } satisfies OpenDialogOptions
  const choice = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))
  return choice.filePaths[0] ?? null
}

/** Asks where a file of this name should go, in the system's own dialog: its path, or null where the person cancels. */
export async function chooseTarget(window: BrowserWindow | undefined, name: string): Promise<string | null> {
  const extension = extname(name).slice(1)
  const options = {
    title: translate('desktop.chooseTarget.title'),
    defaultPath: join(app.getPath('downloads'), name),
    filters: [{ name: extension.toUpperCase(), extensions: [extension] }],
  } satisfies SaveDialogOptions
  const choice = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options))
  return choice.canceled || choice.filePath === '' ? null : choice.filePath
}
