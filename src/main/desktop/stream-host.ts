import { ipcMain, type MessagePortMain } from 'electron'
import { z } from 'zod'
import { channels } from '#shared/bridge/channels'
import type { StreamPort } from '#shared/bridge/stream-peer'
import type { IsTrusted } from './bridge-host'

const StreamRequest = z.object({ name: z.unknown(), input: z.unknown() })

/**
 * Main's end of a stream. Electron transfers no buffers between processes (one that is listed arrives as null), so all
 * are copied. The port closes with the page that holds its other end: reload, crash and a closed window included.
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

/** Hands every stream that a trusted page opens to `serve`, unchecked; the port of any other is closed. */
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
