// The yardstick's preload: Electron's own calls only.
import { contextBridge, ipcRenderer } from 'electron'

contextBridge.exposeInMainWorld('bare', {
  call: (name: string): Promise<unknown> => ipcRenderer.invoke(name),
  on: (name: string, listener: (payload: unknown) => void) =>
    ipcRenderer.on(name, (_event, payload: unknown) => listener(payload)),
})
