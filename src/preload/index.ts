import { contextBridge, ipcRenderer } from 'electron'
import { type BridgeApi, channels } from '#shared/bridge/channels'

const bridge: BridgeApi = {
  call: (name, input) => ipcRenderer.invoke(channels.call, name, input),
  on(name, listener) {
    const receive = (_event: unknown, event: string, payload: unknown) => {
      if (event === name) listener(payload)
    }
    ipcRenderer.on(channels.event, receive)
    return () => ipcRenderer.removeListener(channels.event, receive)
  },
}

contextBridge.exposeInMainWorld('wheelhouse', bridge)
