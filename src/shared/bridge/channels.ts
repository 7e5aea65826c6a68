/** The functions of `window.wheelhouse`. Their data is unchecked; the receiver validates it. */
export interface BridgeApi {
  call(name: string, input: unknown): Promise<unknown>
  on(name: string, listener: (payload: unknown) => void): () => void
  /**
   * Opens a stream and returns its id. The page receives its port with a `message` event of the window whose data is
   * a StreamOpened with this id; there is no other way to pass a port from the preload's world to the page's.
   */
  stream(name: string, input: unknown): string
}

export interface StreamOpened {
  readonly wheelhouseStream: string
}

/** IPC channels. Separate from the contract, so that the preload contains no schemas. */
export const channels = {
  call: 'wheelhouse:call',
  event: 'wheelhouse:event',
  stream: 'wheelhouse:stream',
  dropped: 'wheelhouse:dropped',
} as const

export const firstAnswersId = 'first-answers'
