import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { type BridgeApi, channels, type StreamOpened } from '#shared/bridge/channels'
import { createListeners } from './listeners'

const listeners = createListeners()
ipcRenderer.on(channels.event, (_event, name: string, payload: unknown) => {
  listeners.emit(name, payload)
})

const bridge: BridgeApi = {
  call: (name, input) => ipcRenderer.invoke(channels.call, name, input),
  on: listeners.add,
  stream(name, input) {
    const { port1, port2 } = new MessageChannel()
    ipcRenderer.postMessage(channels.stream, { name, input }, [port2])
    const opened: StreamOpened = { wheelhouseStream: crypto.randomUUID() }
    window.postMessage(opened, location.origin, [port1])
    return opened.wheelhouseStream
  },
}

contextBridge.exposeInMainWorld('wheelhouse', bridge)

// The page never sees or names a local path: paths of dropped files go to the main process from here. Only files from
// the system have a path.
window.addEventListener(
  'drop',
  ({ isTrusted, dataTransfer }) => {
    if (!isTrusted || !dataTransfer) return
    const paths = [...dataTransfer.files].map((file) => webUtils.getPathForFile(file))
    ipcRenderer.send(
      channels.dropped,
      paths.filter((path) => path !== ''),
    )
  },
  true,
)
