import { ipcMain, type WebContents, type WebFrameMain } from 'electron'
import { channels, type EventName, type EventPayload, events, type Handlers } from '#shared/bridge/index'
import { answerCall } from './answer-call'

/**
 * The main process's end of the bridge. Answers only the main frame of a window that `trusts` names, and only while it
 * shows the application's own page.
 */
export function hostBridge(handlers: Handlers, trusts: (contents: WebContents) => boolean, origin: string) {
  const isTrusted = (sender: WebContents, frame: WebFrameMain | null): boolean =>
    trusts(sender) && frame === sender.mainFrame && frame.url.startsWith(`${origin}/`)

  ipcMain.handle(channels.call, (event, name: unknown, input: unknown) => {
    if (!isTrusted(event.sender, event.senderFrame))
      throw new Error('a call from an untrusted sender was refused')
    return answerCall(handlers, name, input)
  })

  return {
    /** Pushes an event to one window; a payload that does not fit the contract is a fault of ours and throws. */
    push<Name extends EventName>(contents: WebContents, name: Name, payload: EventPayload<Name>): void {
      if (!contents.isDestroyed()) contents.send(channels.event, name, events[name].parse(payload))
    },
  }
}
