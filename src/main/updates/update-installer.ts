import type { UpdateProblem } from '#shared/bridge/updates'
import { networkErrorCode } from '../service/network-failure'

export interface OfferedUpdate {
  readonly version: string
  /** As the feed brings them: text or HTML. */
  readonly notes: string
}

/** What the desktop does for updates. Rejections carry the codes of electron-updater and of the network. */
export interface Updater {
  /** null: there is nothing newer. */
  check(): Promise<OfferedUpdate | null>
  /** Downloads what was offered last, and verifies it. */
  download(onProgress: (percent: number) => void): Promise<void>
  /** Puts what was downloaded in place; where an installer does that later, nothing. */
  place(): Promise<void>
  /**
   * Ends the application, and starts the new version; false: the person keeps it running, and nothing was begun. Rejects
   * where the installer does not start.
   */
  restart(): Promise<boolean>
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 200)

/** What kept an update from being found or downloaded, with the system's code or words. Pure. */
export function updateProblem(error: unknown): { readonly problem: UpdateProblem; readonly reason: string } {
  const code = codeOf(error)
  const words = error instanceof Error ? firstLine(error.message) : firstLine(String(error))
  if (/CHECKSUM|SIGNATURE/.test(code) || /checksum mismatch|not signed/i.test(words))
    return { problem: 'damaged', reason: code || words }
  if (/^HTTP_ERROR_|^ERR_UPDATER_/.test(code)) return { problem: 'no-release', reason: code }
  const network = networkErrorCode(error)
  if (network !== undefined) return { problem: 'unreachable', reason: network }
  return { problem: 'unknown', reason: words }
}
