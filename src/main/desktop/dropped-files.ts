import { ipcMain } from 'electron'
import { channels } from '#shared/bridge/channels'
import type { IsTrusted } from './bridge-host'
import { createDroppedPaths } from './dropped-paths'

/** Receives the paths of what the person drops on the window. The returned function gives the last of them, once. */
export function hostDroppedFiles(isTrusted: IsTrusted): () => readonly string[] {
  const dropped = createDroppedPaths()
  ipcMain.on(channels.dropped, (event, paths: unknown) => {
    if (isTrusted(event)) dropped.receive(paths)
  })
  return dropped.take
}
