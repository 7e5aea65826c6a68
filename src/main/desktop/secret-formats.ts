/** Payloads by MIME type or by the operating system's format name. */
export type ClipboardFormats = Readonly<Record<string, string>>

/** Returns Electron's name of a native clipboard format (Electron, docs/api/clipboard.md). */
const native = (name: string): string => `electron application/osclipboard;format="${name}"`
/** A DWORD of 0. */
const no = '\0\0\0\0'

/**
 * Formats that ask clipboard histories not to store a secret:
 * - Windows: learn.microsoft.com/windows/win32/dataxchg/clipboard-formats, "Cloud Clipboard and Clipboard History
 *   Formats". The presence of the first format is enough, whatever its value.
 * - macOS: nspasteboard.org. Presence is enough too.
 * - Linux: the hint of KDE's Klipper, which other histories follow.
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

/** Returns a secret as text together with the hints for clipboard histories. Pure. */
export const secretFormats = (secret: string, platform: NodeJS.Platform): ClipboardFormats => ({
  'text/plain': secret,
  ...hints[platform === 'win32' || platform === 'darwin' ? platform : 'linux'],
})
