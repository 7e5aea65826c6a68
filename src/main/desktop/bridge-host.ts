import { ipcMain, type IpcMainEvent, type IpcMainInvokeEvent, type WebContents } from 'electron'
import { channels, type EventName, type EventPayload, events, type Handlers } from '#shared/bridge/index'
import { answerCall } from './answer-call'

export type IsTrusted = (event: Pick<IpcMainEvent | IpcMainInvokeEvent, 'sender' | 'senderFrame'>) => boolean

/** Whether a message is from the main frame of a window that `trusts` names, while it shows the application's own page. */
export const trustedSender =
  (trusts: (contents: WebContents) => boolean, origin: string): IsTrusted =>
  ({ sender, senderFrame }) =>
    trusts(sender) && senderFrame === sender.mainFrame && senderFrame.url.startsWith(`${origin}/`)

/** The main process's end of calls and events; answers trusted senders alone. */
export function hostBridge(handlers: Handlers, isTrusted: IsTrusted) {
  ipcMain.handle(channels.call, (event, name: unknown, input: unknown) => {
    if (!isTrusted(event)) throw new Error('a call from an untrusted sender was refused')
    return answerCall(handlers, name, input)
  })

  return {
    /** Pushes an event to one window; a payload that does not fit the contract is a fault of ours and throws. */
    push<Name extends EventName>(contents: WebContents, name: Name, payload: EventPayload<Name>): void {
      if (!contents.isDestroyed()) contents.send(channels.event, name, events[name].parse(payload))
    },
  }
}
