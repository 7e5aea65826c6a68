import { homedir } from 'node:os'
import { join } from 'node:path'
import { type BrowserWindow, dialog, type OpenDialogOptions } from 'electron'
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
