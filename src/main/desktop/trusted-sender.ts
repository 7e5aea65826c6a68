import type { IpcMainEvent, IpcMainInvokeEvent, WebContents } from 'electron'

export type IsTrusted = (event: Pick<IpcMainEvent | IpcMainInvokeEvent, 'sender' | 'senderFrame'>) => boolean

/** Whether a message is from the main frame of a window that `trusts` names, while it shows the application's own page. */
export const trustedSender =
  (trusts: (contents: WebContents) => boolean, origin: string): IsTrusted =>
  ({ sender, senderFrame }) =>
    trusts(sender) && senderFrame === sender.mainFrame && senderFrame.url.startsWith(`${origin}/`)
