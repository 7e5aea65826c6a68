import type { UpdateProblem } from '#shared/bridge/updates'
import { networkErrorCode } from '../service/network-failure'

export interface OfferedUpdate {
  readonly version: string
  /** Text or HTML from the feed. */
  readonly notes: string
}

/** Operations of the desktop. Rejections have the codes of electron-updater and of the network. */
export interface Updater {
  /** Returns null if there is no newer version. */
  check(): Promise<OfferedUpdate | null>
  /** Downloads and verifies the last offered version. */
  download(onProgress: (percent: number) => void): Promise<void>
  /** Puts the download in place, unless an installer does that later. */
  place(): Promise<void>
  /** Ends the application and starts the new version; false if the user refuses. Rejects if the installer does not start. */
  restart(): Promise<boolean>
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 200)

/** Classifies an update error, with the system's code or message. Pure. */
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
