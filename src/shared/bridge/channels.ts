/** The two functions that the preload exposes as `window.wheelhouse`. Both carry unchecked data; the receiver checks it. */
export interface BridgeApi {
  call(name: string, input: unknown): Promise<unknown>
  on(name: string, listener: (payload: unknown) => void): () => void
}

/** The IPC channels under the two functions. Kept apart from the contract, so that the preload carries no schemas. */
export const channels = { call: 'wheelhouse:call', event: 'wheelhouse:event' } as const
