import { ipcMain, type IpcMainEvent, type IpcMainInvokeEvent, type WebContents } from 'electron'
import { channels } from '#shared/bridge/channels'
import type { Answer } from '#shared/bridge/index'

export type IsTrusted = (event: Pick<IpcMainEvent | IpcMainInvokeEvent, 'sender' | 'senderFrame'>) => boolean

/** Returns a check that a message comes from the application's own page, in the main frame of a window `trusts` accepts. */
export const trustedSender =
  (trusts: (contents: WebContents) => boolean, origin: string): IsTrusted =>
  ({ sender, senderFrame }) =>
    trusts(sender) && senderFrame === sender.mainFrame && senderFrame.url.startsWith(`${origin}/`)

/** Answers one call of the window. The arguments are unchecked. */
export type AnswerCall = (name: unknown, input: unknown) => Promise<Answer>

/**
 * Answers the window's calls, from trusted senders only. Calls wait until the returned function receives the handler,
 * because the window opens before the modules exist.
 */
export function hostCalls(isTrusted: IsTrusted): (answer: AnswerCall) => void {
  let provide: (answer: AnswerCall) => void = () => undefined
  const answering = new Promise<AnswerCall>((resolve) => (provide = resolve))
  ipcMain.handle(channels.call, async (event, name: unknown, input: unknown) => {
    if (!isTrusted(event)) throw new Error('a call from an untrusted sender was refused')
    return (await answering)(name, input)
  })
  return provide
}
