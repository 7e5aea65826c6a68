import type { Destination } from '#shared/bridge/app'
import type { Transfer } from '#shared/bridge/files'
import type { TerminalSession } from '#shared/bridge/terminal'
import type { ForwardView } from '#shared/bridge/tunnel'
import type { AccountsDeps } from '../accounts/index'
import type { Store } from '../store/database'
import type { Keychain } from '../store/keychain'
import type { Sections, SettingsStore } from '../store/settings'
import type { MonotonicClock } from '../core/clock'
import type { Network } from '../core/network'
import type { ShowNotification } from '../core/notification'
import type { ReportError } from '../core/report-error'
import type { EarlierCrash, Runtime } from './app-info'
import type { UpdatesDeps } from '../updates/index'
import type { Launch } from '../ssh/launcher/terminal'
import type { LoginItemHost } from '../login-item/index'
import type { TerminalsDeps } from '../terminals/index'
import type { TunnelsDeps } from '../tunnels/index'
import type { SecretsDeps } from './secrets'

/** The question before the application quits. */
export interface ConfirmQuit {
  pending(): boolean
  /** Asks if necessary, then calls `begin`. Resolves to whether it did. Later quits do not ask, unless it fails. */
  end(begin: () => void | Promise<void>): Promise<boolean>
  /** The system session ends: withdraws an open question and asks no more. */
  sessionEnds(): void
}

/** Work that quitting would end. */
export interface Unfinished {
  readonly transfers: readonly Transfer[]
  /** Running sessions that their machine does not keep. */
  readonly terminals: readonly TerminalSession[]
  /** Open ports that the next start does not reopen. */
  readonly forwards: readonly ForwardView[]
}

/** The computer and the desktop. A dialog returns null, or no paths, if the user cancels. */
export interface HostEnvironment {
  readonly runtime: Runtime
  readonly earlierCrash: EarlierCrash
  /** Quits the application, which asks first if work is unfinished. */
  quit(): void
  /** Opens the window, or brings it to the front, and shows a page. */
  showWindow(destination?: Destination): void
  readonly folder: string
  /** Default user-data folder. Another folder is a separate profile. */
  readonly usualFolder: string
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  readonly fetch: typeof fetch
  /** As fetch, over a new connection, for requests that must not be repeated. */
  readonly freshFetch: AccountsDeps['freshFetch']
  readonly keychain: Keychain
  readonly sandbox: AccountsDeps['sandbox'] & { close(): void }
  readonly clipboard: SecretsDeps['clipboard']
  readonly clock: MonotonicClock
  /** Command that starts another instance of this application. */
  readonly program: Launch
  readonly loginItem: LoginItemHost
  readonly loadPty: TerminalsDeps['loadPty']
  /** Creates the question before quitting, for unfinished work. */
  confirmQuit(unfinished: () => Unfinished): ConfirmQuit
  /** Returns how this installation updates itself, or why it does not. */
  updates(end: ConfirmQuit['end']): UpdatesDeps['updates']
  online(): boolean
  readonly report: ReportError
  chooseAuthorities(): Promise<string | null>
  chooseFile(): Promise<string | null>
  /** Opens a dialog for an exported template. */
  chooseTemplate(): Promise<string | null>
  chooseTarget(name: string): Promise<string | null>
  chooseFolder(): Promise<string | null>
  /** Opens a dialog for files or a folder to upload. Returns no paths if the user cancels. */
  chooseUploads(what: 'files' | 'folder'): Promise<readonly string[]>
  /** Returns the paths that were last dropped on the window, once. */
  takeDropped(): readonly string[]
  showInFolder(path: string): void
  readonly openLocalPage: TunnelsDeps['openLocalPage']
  /** Renders a document without scripts as PDF. */
  printPdf(html: string): Promise<Uint8Array>
}

/** Parts that all modules are built from; each module uses some of them. */
export interface ModuleParts extends HostEnvironment {
  readonly settings: SettingsStore
  readonly documents: Sections
  readonly store: Store
  readonly network: Network
  readonly showNotification: ShowNotification
}
