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
  let callOff: () => void = () => undefined

  async function clear(): Promise<void> {
    callOff()
    const expected = secret
    secret = undefined
    if (expected !== undefined && (await clipboard.readText()) === expected) await clipboard.writeText('')
  }

  return {
    copy(value: string): { clearsAfter: number } {
      callOff()
      secret = value
      void clipboard.writeText(value)
      callOff = after(clearsAfter, () => void clear())
      return { clearsAfter }
    },
    /** Whether a secret of ours may still be there. */
    pending: (): boolean => secret !== undefined,
    clear,
  }
}
