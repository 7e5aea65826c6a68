import type { Transfer } from '#shared/bridge/files'
import type { TerminalSession } from '#shared/bridge/terminal'
import type { ForwardView } from '#shared/bridge/tunnel'
import type { AccountsDeps } from '../accounts/index'
import type { Keychain } from '../store/keychain'
import type { MonotonicClock } from '../core/clock'
import type { ReportError } from '../core/report-error'
import type { EarlierCrash, Runtime } from './app-info'
import type { UpdatesDeps } from '../updates/index'
import type { Launch } from '../ssh/launcher/terminal'
import type { TerminalsDeps } from '../terminals/index'
import type { TunnelsDeps } from '../tunnels/index'
import type { SecretsDeps } from './secrets'

/** The question before the application ends. */
export interface ConfirmQuit {
  /** Whether the application may not end before a person has answered. */
  pending(): boolean
  /**
   * Begins the end of the application, after the question where there is one, and resolves to whether it was begun.
   * Whatever quits from then on is not asked, unless `begin` fails.
   */
  end(begin: () => void | Promise<void>): Promise<boolean>
  /** The system ends the session and does not wait: a question that stands is withdrawn, and none is asked. */
  sessionEnds(): void
}

/** What the modules need of the computer and of the desktop. */
/** What quitting ends. */
export interface Unfinished {
  readonly transfers: readonly Transfer[]
  /** Sessions that run and are not kept by their machine. */
  readonly terminals: readonly TerminalSession[]
  /** Open ports that are not opened again at the next start. */
  readonly forwards: readonly ForwardView[]
}

export interface HostEnvironment {
  readonly runtime: Runtime
  readonly earlierCrash: EarlierCrash
  /** The folder of the application's own data. */
  readonly userData: string
  /** Where that folder usually lies: with another, this is a profile of its own. */
  readonly usualUserData: string
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  readonly fetch: typeof fetch
  /** As fetch, over a connection of its own, for what must not be sent twice. */
  readonly freshFetch: AccountsDeps['freshFetch']
  readonly keychain: Keychain
  readonly sandbox: AccountsDeps['sandbox'] & { close(): void }
  readonly clipboard: SecretsDeps['clipboard']
  readonly clock: MonotonicClock
  /** How this application is started once more. */
  readonly program: Launch
  readonly loadPty: TerminalsDeps['loadPty']
  /** Asks before the application ends if that would end something. */
  confirmQuit(unfinished: () => Unfinished): ConfirmQuit
  /** How this installation replaces itself, or why it does not. */
  updates(end: ConfirmQuit['end']): UpdatesDeps['updates']
  online(): boolean
  readonly reportError: ReportError
  /** The path of a file of certificate authorities that the person picks, or null. */
  chooseAuthorities(): Promise<string | null>
  /** The path of a file that the person picks, or null. */
  chooseFile(): Promise<string | null>
  /** Where the person wants a file of this name to go, or null. */
  chooseTarget(name: string): Promise<string | null>
  /** The folder that files should go into, or null. */
  chooseFolder(): Promise<string | null>
  /** Files, or a folder, of this computer that the person picks; empty: none. */
  chooseUploads(what: 'files' | 'folder'): Promise<readonly string[]>
  /** The paths that were dropped on the window last; once. */
  takeDropped(): readonly string[]
  /** Shows a file in the system's file manager. */
  showInFolder(path: string): void
  readonly openLocalPage: TunnelsDeps['openLocalPage']
  /** A document without scripts as PDF. */
  printPdf(html: string): Promise<Uint8Array>
}
