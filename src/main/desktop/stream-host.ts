import { ipcMain, type MessagePortMain } from 'electron'
import { z } from 'zod'
import { channels } from '#shared/bridge/channels'
import type { StreamPort } from '#shared/bridge/stream-peer'
import type { IsTrusted } from './bridge-host'

const StreamRequest = z.object({ name: z.unknown(), input: z.unknown() })

/**
 * Adapts Electron's port to a stream. Buffers are copied, since Electron cannot transfer them between processes: listed
 * buffers arrive as null. The port closes with its page, on reload, crash and window close.
 */
const streamPort = (port: MessagePortMain): StreamPort => ({
  post: (frame) => port.postMessage(frame),
  connect({ message, closed }) {
    port.on('message', ({ data }) => message(data))
    port.on('close', closed)
    port.start()
  },
  close: () => port.close(),
})

/** Passes each stream of a trusted page to `serve`, unchecked. Closes the ports of other senders. */
export function hostStreams(
  serve: (name: unknown, input: unknown, port: StreamPort) => void,
  isTrusted: IsTrusted,
): void {
  ipcMain.on(channels.stream, (event, request: unknown) => {
    const [port] = event.ports
    const { success, data } = StreamRequest.safeParse(request)
    if (port && success && isTrusted(event)) serve(data.name, data.input, streamPort(port))
    else event.ports.forEach((refused) => refused.close())
  })
}
