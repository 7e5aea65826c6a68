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
    defaultPath: homedir(),
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
    ...(extension !== '' && { filters: [{ name: extension.toUpperCase(), extensions: [extension] }] }),
  } satisfies SaveDialogOptions
  const choice = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options))
  return choice.canceled || choice.filePath === '' ? null : choice.filePath
}

/** Asks for files, or a folder, to upload, in the system's own dialog: their paths, none where the person cancels. */
export async function chooseUploads(
  window: BrowserWindow | undefined,
  what: 'files' | 'folder',
): Promise<readonly string[]> {
  const options = {
    title: translate(`desktop.chooseUploads.${what}`),
    buttonLabel: translate('desktop.chooseUploads.button'),
    defaultPath: homedir(),
    properties: [what === 'files' ? 'openFile' : 'openDirectory', 'multiSelections'],
  } satisfies OpenDialogOptions
  const choice = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))
  return choice.filePaths
}

/** Asks for the folder that files should go into, in the system's own dialog: its path, or null. */
export async function chooseFolder(window: BrowserWindow | undefined): Promise<string | null> {
  const options = {
    title: translate('desktop.chooseFolder.title'),
    buttonLabel: translate('desktop.chooseFolder.button'),
    defaultPath: app.getPath('downloads'),
    properties: ['openDirectory', 'createDirectory'],
  } satisfies OpenDialogOptions
  const choice = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))
  return choice.filePaths[0] ?? null
}
