import type { Destination } from '#shared/bridge/app'
import type { EventName, EventPayload } from '#shared/bridge/index'
import { failureOf } from '#shared/failure'
import type { AccountsDeps } from '../accounts/index'
import type { Keychain } from '../accounts/keychain'

/** What the parts need of the computer and of the desktop around them. */
export interface HostEnvironment {
  /** The folder that keeps what the application remembers. */
  readonly userData: string
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  readonly fetch: typeof fetch
  /** As fetch, over a connection of its own, for what must not be sent twice. */
  readonly freshFetch: AccountsDeps['freshFetch']
  readonly keychain: Keychain
  readonly loopbackOnly: boolean
  readonly sandbox: {
    readonly start: AccountsDeps['startSandbox']
    forget(): Promise<void>
    close(): void
    onLost(listener: () => void): void
  }
  /** Epoch seconds. */
  now(): number
  /** Runs the task once after so many seconds; what comes back calls it off. */
  after(seconds: number, task: () => void): () => void
  online(): boolean
  /** The path of a file that the person picks, or null. */
  chooseFile(): Promise<string | null>
  /** Where the person wants a file of this name to go, or null. */
  chooseTarget(name: string): Promise<string | null>
  /** A document without scripts as PDF. */
  printPdf(html: string): Promise<Uint8Array>
  push<Name extends EventName>(name: Name, payload: EventPayload<Name>): void
  /** A notification of the system's; a click on it leads to the destination. */
  tell(words: { readonly title: string; readonly body: string }, destination: Destination): void
}

export const reportFault = (action: string) => (error: unknown) =>
  process.stderr.write(`wheelhouse: ${JSON.stringify(failureOf(error, action))}\n`)
