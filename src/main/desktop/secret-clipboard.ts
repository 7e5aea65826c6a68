import { reportError } from '../core/report-error'

/** The system's clipboard; newer runtimes answer with promises. */
export interface Clipboard {
  readText(): string | Promise<string>
  writeText(text: string): void | Promise<void>
}

/** Seconds that a secret stays on the clipboard. */
const clearsAfter = 30

/** Copies a secret and takes it back after 30 s, or at once when the application quits, unless something else was copied since. */
export function secretClipboard(
  clipboard: Clipboard,
  after: (seconds: number, task: () => void) => () => void,
) {
  let secret: string | undefined
  let cancel: () => void = () => undefined

  async function clear(): Promise<void> {
    cancel()
    const expected = secret
    secret = undefined
    if (expected !== undefined && (await clipboard.readText()) === expected) await clipboard.writeText('')
  }

  return {
    /** Fails as the clipboard does: what was copied before is then still taken back in its time. */
    async copy(value: string): Promise<{ clearsAfter: number }> {
      const before = secret
      secret = value
      try {
        await clipboard.writeText(value)
      } catch (error) {
        secret = before
        throw error
      }
      secret = value
      cancel()
      cancel = after(
        clearsAfter,
        () => void clear().catch((error: unknown) => reportError('clear-clipboard', error)),
      )
      return { clearsAfter }
    },
    /** Whether a secret of ours may still be there. */
    pending: (): boolean => secret !== undefined,
    clear,
  }
}
