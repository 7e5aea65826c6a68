import { homedir } from 'node:os'
import { extname, join } from 'node:path'
import { app, type BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron'
import { translate } from '#shared/messages/index'

/** Opens the system's dialog for files or folders. Returns the selected paths; none if the user cancels. */
async function selectPaths(
  window: BrowserWindow | undefined,
  options: OpenDialogOptions,
): Promise<readonly string[]> {
  const choice = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))
  return choice.filePaths
}

export async function chooseIdentityFile(window: BrowserWindow | undefined): Promise<string | null> {
  const [path] = await selectPaths(window, {
    title: translate('desktop.chooseIdentity.title'),
    buttonLabel: translate('desktop.chooseIdentity.button'),
    defaultPath: join(homedir(), '.ssh'),
    properties: ['openFile', 'showHiddenFiles'],
  })
  return path ?? null
}

export async function chooseAuthorities(window: BrowserWindow | undefined): Promise<string | null> {
  const [path] = await selectPaths(window, {
    title: translate('desktop.chooseAuthorities.title'),
    buttonLabel: translate('desktop.chooseAuthorities.button'),
    defaultPath: homedir(),
    filters: [{ name: 'PEM, DER', extensions: ['pem', 'crt', 'cer', 'der'] }],
    properties: ['openFile'],
  })
  return path ?? null
}

export async function chooseTemplate(window: BrowserWindow | undefined): Promise<string | null> {
  const [path] = await selectPaths(window, {
    title: translate('desktop.chooseTemplate.title'),
    buttonLabel: translate('desktop.chooseTemplate.button'),
    defaultPath: app.getPath('downloads'),
    filters: [{ name: 'JSON', extensions: ['json'] }],
    properties: ['openFile'],
  })
  return path ?? null
}

/** Asks where to save a file named `name`. Returns the path, or null if the user cancels. */
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

export const chooseUploads = (
  window: BrowserWindow | undefined,
  kind: 'files' | 'folder',
): Promise<readonly string[]> =>
  selectPaths(window, {
    title: translate(`desktop.chooseUploads.${kind}`),
    buttonLabel: translate('desktop.chooseUploads.button'),
    defaultPath: homedir(),
    properties: [kind === 'files' ? 'openFile' : 'openDirectory', 'multiSelections'],
  })

export async function chooseFolder(window: BrowserWindow | undefined): Promise<string | null> {
  const [path] = await selectPaths(window, {
    title: translate('desktop.chooseFolder.title'),
    buttonLabel: translate('desktop.chooseFolder.button'),
    defaultPath: app.getPath('downloads'),
    properties: ['openDirectory', 'createDirectory'],
  })
  return path ?? null
}
