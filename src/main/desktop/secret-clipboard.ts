import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { createMutex } from '../core/mutex'
import { reportError } from '../core/report-error'
import { type ClipboardFormats, secretFormats } from './secret-formats'
import type { SecretMarker } from './secret-marker'

/** The system's clipboard; newer runtimes answer with promises. */
export interface Clipboard {
  readText(): string | Promise<string>
  writeText(text: string): void | Promise<void>
  /** Writes several formats of one thing at once; absent where the runtime writes one alone. */
  writeFormats?(formats: ClipboardFormats): Promise<void>
}

export interface CopiedSecret {
  /** Seconds. */
  readonly clearsAfter: number
  /** Clipboard histories were asked not to keep it. */
  readonly isConcealed: boolean
}

/** Seconds that a secret stays on the clipboard. */
const clearsAfter = 30

/**
 * Copies a secret and takes it back after 30 s, or at once when the application quits, unless something else was copied
 * since. `marker`: by what the next start knows it again where the application ended without a word. `isWritable`:
 * whether a write counts now; under Wayland it does for the window with the focus alone.
 */
export function secretClipboard(
  clipboard: Clipboard,
  platform: NodeJS.Platform,
  after: Clock['after'],
  marker: SecretMarker,
  isWritable: () => boolean = () => true,
) {
  let secret: string | undefined
  /** Its time is over, and it could not be taken back yet. */
  let isOverdue = false
  let cancel: () => void = () => undefined
  const oneAtATime = createMutex()
  const kept = createEmitter<undefined>()

  /** Where it fails, the secret is still pending: quitting tries once more. */
  async function clearNow(): Promise<void> {
    cancel()
    const expected = secret
    if (expected === undefined) return
    if ((await clipboard.readText()) === expected) await clipboard.writeText('')
    secret = undefined
    isOverdue = false
    marker.remove()
  }
  /** Takes back what an earlier run left there. */
  async function clearLeft(): Promise<void> {
    const isLeft = marker.recognizes()
    if (!isLeft || secret !== undefined) return
    if (isLeft(await clipboard.readText())) await clipboard.writeText('')
    marker.remove()
  }
  const clear = (): Promise<void> => oneAtATime(clearNow)
  const clearByItself = (): void =>
    void clear().catch((error: unknown) => reportError('clipboard.clear', error))
  function clearInTime(): void {
    if (isWritable()) return clearByItself()
    isOverdue = true
    kept.emit(undefined)
  }

  /** Whether it was written with what keeps it out of histories. */
  async function write(value: string): Promise<boolean> {
    try {
      await clipboard.writeFormats?.(secretFormats(value, platform))
      if (clipboard.writeFormats) return true
    } catch (error) {
      reportError('clipboard.conceal', error)
    }
    await clipboard.writeText(value)
    return false
  }

  async function copy(value: string): Promise<CopiedSecret> {
    const before = secret
    secret = value
    marker.set(value)
    let isConcealed: boolean
    try {
      isConcealed = await write(value)
    } catch (error) {
      secret = before
      if (before === undefined) marker.remove()
      else marker.set(before)
      throw error
    }
    cancel()
    isOverdue = false
    cancel = after(clearsAfter, () => clearInTime())
    return { clearsAfter, isConcealed }
  }

  return {
    /** Fails as the clipboard does: what was copied before is then still taken back in its time. */
    copy: (value: string) => oneAtATime(() => copy(value)),
    /** A secret stays until the window has the focus again. */
    onKept: kept.on,
    /** Whether a secret of ours may still be there. */
    pending: (): boolean => secret !== undefined,
    clear,
    /** At the start, and when the window has the focus: what is overdue, or left by an earlier run, is taken back. */
    focused: (): void => {
      if (isOverdue) clearByItself()
      else if (isWritable())
        void oneAtATime(clearLeft).catch((error: unknown) => reportError('clipboard.clear', error))
    },
  }
}
