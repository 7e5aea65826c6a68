import { ipcMain, type IpcMainEvent, type IpcMainInvokeEvent, type WebContents } from 'electron'
import { channels } from '#shared/bridge/channels'
import type { Answer } from '#shared/bridge/index'

export type IsTrusted = (event: Pick<IpcMainEvent | IpcMainInvokeEvent, 'sender' | 'senderFrame'>) => boolean

/** Whether a message is from the main frame of a window that `trusts` names, while it shows the application's own page. */
export const trustedSender =
  (trusts: (contents: WebContents) => boolean, origin: string): IsTrusted =>
  ({ sender, senderFrame }) =>
    trusts(sender) && senderFrame === sender.mainFrame && senderFrame.url.startsWith(`${origin}/`)

/** Answers one call of the window, unchecked as it came. */
export type AnswerCall = (name: unknown, input: unknown) => Promise<Answer>

/**
 * The main process's end of calls; answers trusted senders alone. What answers them is given later, as the window opens
 * before the modules are there: a call waits until then.
 */
export function hostCalls(isTrusted: IsTrusted): (answer: AnswerCall) => void {
  let use: (answer: AnswerCall) => void = () => undefined
  const answering = new Promise<AnswerCall>((resolve) => (use = resolve))
  ipcMain.handle(channels.call, async (event, name: unknown, input: unknown) => {
    if (!isTrusted(event)) throw new Error('a call from an untrusted sender was refused')
    return (await answering)(name, input)
  })
  return use
}
