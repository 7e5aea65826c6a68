import { ipcMain } from 'electron'
import { z } from 'zod'
import { channels } from '#shared/bridge/channels'
import type { IsTrusted } from './bridge-host'

const Paths = z.array(z.string().min(1)).max(10_000)

/** Takes the paths of what the person drops on the window. The returned function gives the last of them, once. */
export function hostDroppedFiles(isTrusted: IsTrusted): () => readonly string[] {
  let dropped: readonly string[] = []
  ipcMain.on(channels.dropped, (event, paths: unknown) => {
    const { success, data } = Paths.safeParse(paths)
    if (success && isTrusted(event)) dropped = data
  })
  return () => {
    const taken = dropped
    dropped = []
    return taken
  }
}
