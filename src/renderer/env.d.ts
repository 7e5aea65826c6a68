/// <reference types="vite/client" />
import type { BridgeApi } from '#shared/bridge/channels'

declare global {
  interface Window {
    readonly wheelhouse: BridgeApi
  }
}
