import { createMutex } from '../core/mutex'
import { reportError } from '../core/report-error'
import { type ClipboardFormats, secretFormats } from './secret-formats'

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

/** Copies a secret and takes it back after 30 s, or at once when the application quits, unless something else was copied since. */
export function secretClipboard(
  clipboard: Clipboard,
  platform: NodeJS.Platform,
  after: (seconds: number, task: () => void) => () => void,
) {
  let secret: string | undefined
  let cancel: () => void = () => undefined
  const oneAtATime = createMutex()

  /** Where it fails, the secret is still pending: quitting tries once more. */
  async function clearNow(): Promise<void> {
    cancel()
    const expected = secret
    if (expected === undefined) return
    if ((await clipboard.readText()) === expected) await clipboard.writeText('')
    secret = undefined
  }
  const clear = (): Promise<void> => oneAtATime(clearNow)

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
    let isConcealed: boolean
    try {
      isConcealed = await write(value)
    } catch (error) {
      secret = before
      throw error
    }
    cancel()
    cancel = after(
      clearsAfter,
      () => void clear().catch((error: unknown) => reportError('clipboard.clear', error)),
    )
    return { clearsAfter, isConcealed }
  }

  return {
    /** Fails as the clipboard does: what was copied before is then still taken back in its time. */
    copy: (value: string) => oneAtATime(() => copy(value)),
    /** Whether a secret of ours may still be there. */
    pending: (): boolean => secret !== undefined,
    clear,
  }
}
