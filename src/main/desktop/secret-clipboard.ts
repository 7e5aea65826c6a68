import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { createMutex } from '../core/mutex'
import { reportError } from '../core/report-error'
import { type ClipboardFormats, secretFormats } from './secret-formats'
import type { SecretMarker } from './secret-marker'

/** Interface of Electron's clipboard. Newer runtimes return promises. */
export interface Clipboard {
  readText(): string | Promise<string>
  writeText(text: string): void | Promise<void>
  /** Writes several formats of one item; absent if the runtime writes only text. */
  writeFormats?(formats: ClipboardFormats): Promise<void>
}

export interface CopiedSecret {
  /** Seconds until the secret is removed. */
  readonly clearsAfter: number
  /** Whether the secret carries the formats that exclude it from clipboard histories. */
  readonly isConcealed: boolean
}

/** Time in seconds that a secret stays on the clipboard. */
const clearsAfter = 30

/**
 * Copies a secret and removes it after 30 s, or when the application quits, unless the user copied something else since.
 * `marker`: lets the next start recognize the secret after a crash. `isWritable`: whether writes take effect now; under
 * Wayland they do only while the window has the focus.
 */
export function secretClipboard(
  clipboard: Clipboard,
  platform: NodeJS.Platform,
  after: Clock['after'],
  marker: SecretMarker,
  isWritable: () => boolean = () => true,
) {
  let secret: string | undefined
  /** Whether the time is over but the secret could not be removed yet. */
  let isOverdue = false
  let cancel: () => void = () => undefined
  const oneAtATime = createMutex()
  const overdue = createEmitter<undefined>()

  /** Removes the secret. If that fails it stays pending, and quitting tries again. */
  async function clearNow(): Promise<void> {
    cancel()
    const expected = secret
    if (expected === undefined) return
    if ((await clipboard.readText()) === expected) await clipboard.writeText('')
    secret = undefined
    isOverdue = false
    marker.remove()
  }
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
    overdue.emit(undefined)
  }

  /** Returns whether the secret was written with the formats that exclude it from histories. */
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
    const previous = secret
    secret = value
    marker.set(value)
    let isConcealed: boolean
    try {
      isConcealed = await write(value)
    } catch (error) {
      secret = previous
      if (previous === undefined) marker.remove()
      else marker.set(previous)
      throw error
    }
    cancel()
    isOverdue = false
    cancel = after(clearsAfter, () => clearInTime())
    return { clearsAfter, isConcealed }
  }

  return {
    /** Rejects if the clipboard does; the previous secret is then still removed in time. */
    copy: (value: string) => oneAtATime(() => copy(value)),
    /** Emits when a secret has to stay until the window has the focus again. */
    onOverdue: overdue.on,
    /** Whether a copied secret may still be on the clipboard. */
    pending: (): boolean => secret !== undefined,
    clear,
    /** Removes secrets that are overdue or from an earlier run. Call at the start and when the window gets the focus. */
    focused: (): void => {
      if (isOverdue) clearByItself()
      else if (isWritable())
        void oneAtATime(clearLeft).catch((error: unknown) => reportError('clipboard.clear', error))
    },
  }
}
