/** Payloads by MIME type, or by the operating system's own name of a format. */
export type ClipboardFormats = Readonly<Record<string, string>>

/** A format that only the operating system's clipboard knows (Electron, docs/api/clipboard.md). */
const native = (name: string): string => `electron application/osclipboard;format="${name}"`
/** A DWORD of 0. */
const no = '\0\0\0\0'

/**
 * What asks clipboard histories not to keep a secret:
 * - Windows: learn.microsoft.com/windows/win32/dataxchg/clipboard-formats, "Cloud Clipboard and Clipboard History
 *   Formats". That the first format is there is enough, whatever it holds.
 * - macOS: nspasteboard.org. The same.
 * - Linux: what KDE's Klipper looks for, and other histories after it.
 */
const hints: Readonly<Record<'win32' | 'darwin' | 'linux', ClipboardFormats>> = {
  win32: {
    [native('ExcludeClipboardContentFromMonitorProcessing')]: no,
    [native('CanIncludeInClipboardHistory')]: no,
    [native('CanUploadToCloudClipboard')]: no,
  },
  darwin: { [native('org.nspasteboard.ConcealedType')]: '1' },
  linux: { [native('x-kde-passwordManagerHint')]: 'secret' },
}

/** A secret as text, with what keeps it out of clipboard histories. Pure. */
export const secretFormats = (secret: string, platform: NodeJS.Platform): ClipboardFormats => ({
  'text/plain': secret,
  ...hints[platform === 'win32' || platform === 'darwin' ? platform : 'linux'],
})
