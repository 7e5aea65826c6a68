import { ipcMain } from 'electron'
import { channels } from '#shared/bridge/channels'
import type { IsTrusted } from './bridge-host'
import { createDroppedPaths } from './dropped-paths'

/** Receives the paths of files dropped on the window. The returned function returns the last drop, once. */
export function hostDroppedFiles(isTrusted: IsTrusted): () => readonly string[] {
  const dropped = createDroppedPaths()
  ipcMain.on(channels.dropped, (event, paths: unknown) => {
    if (isTrusted(event)) dropped.receive(paths)
  })
  return dropped.take
}
