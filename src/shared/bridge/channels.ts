/** The three functions that the preload exposes as `window.wheelhouse`. All carry unchecked data; the receiver checks it. */
export interface BridgeApi {
  call(name: string, input: unknown): Promise<unknown>
  on(name: string, listener: (payload: unknown) => void): () => void
  /**
   * Opens a stream and answers its id. The page's end of it follows as the port of a `message` event of the window,
   * whose data is a StreamOpened with this id: no port can cross between the preload's world and the page's otherwise.
   */
  stream(name: string, input: unknown): string
}

/** What the preload posts to the page together with a stream's port. */
export interface StreamOpened {
  readonly wheelhouseStream: string
}

/** The IPC channels under the three functions, and that of what the person drops on the window. Kept apart from the contract, so that the preload carries no schemas. */
export const channels = {
  call: 'wheelhouse:call',
  event: 'wheelhouse:event',
  stream: 'wheelhouse:stream',
  dropped: 'wheelhouse:dropped',
} as const

/** The element of the window's page that holds its first answers (main/desktop/first-answers.ts). */
export const firstAnswersId = 'first-answers'
