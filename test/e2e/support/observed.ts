import type { ElectronApplication, Page } from '@playwright/test'
import { z } from 'zod'
import { channels } from '../../../src/shared/bridge/channels'
import { steadily } from './application'

/** Returns all content of the page's JavaScript heap after garbage collection, strings included. */
export const heapOf = async (page: Page): Promise<Buffer> => {
  const session = await page.context().newCDPSession(page)
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  return Buffer.from(chunks.join(''))
}

const Messages = z.array(z.object({ name: z.string(), text: z.string() }))

/** Records main's messages to its window from now on: answers, by call, and events. */
export const recordMessages = async (electron: ElectronApplication) => {
  const recorded = await electron.evaluateHandle(({ BrowserWindow, ipcMain }, { call }) => {
    const messages: { name: string; text: string }[] = []
    const handlers: unknown = Reflect.get(ipcMain, '_invokeHandlers')
    if (!(handlers instanceof Map)) throw new Error('Electron keeps its handlers elsewhere')
    const handle: unknown = handlers.get(call)
    if (typeof handle !== 'function') throw new Error('nobody handles calls')
    handlers.set(call, async (...sent: readonly unknown[]) => {
      const answer: unknown = await Reflect.apply(handle, undefined, sent)
      messages.push({ name: String(sent[1]), text: JSON.stringify(answer) ?? '' })
      return answer
    })
    for (const { webContents } of BrowserWindow.getAllWindows()) {
      const send = webContents.send.bind(webContents)
      webContents.send = (channel, ...event: readonly unknown[]) => {
        messages.push({ name: String(event[0]), text: JSON.stringify(event) })
        send(channel, ...event)
      }
    }
    return messages
  }, channels)
  return async () => Messages.parse(await steadily(() => recorded.jsonValue()))
}
