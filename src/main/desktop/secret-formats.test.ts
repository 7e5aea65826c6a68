import { describe, expect, it } from 'vitest'
import { secretFormats } from './secret-formats'

const osFormat = (name: string) => `electron application/osclipboard;format="${name}"`
/** Bytes of each payload for the clipboard. */
const bytesOf = (platform: NodeJS.Platform) =>
  Object.fromEntries(
    Object.entries(secretFormats('hunter2', platform)).map(([format, payload]) => [
      format,
      Buffer.from(payload).toString('hex'),
    ]),
  )
const secret = { 'text/plain': Buffer.from('hunter2').toString('hex') }

describe('the formats of a copied secret', () => {
  it('exclude it from the history, the cloud and clipboard monitors of Windows', () => {
    expect(bytesOf('win32')).toEqual({
      ...secret,
      [osFormat('ExcludeClipboardContentFromMonitorProcessing')]: '00000000',
      [osFormat('CanIncludeInClipboardHistory')]: '00000000',
      [osFormat('CanUploadToCloudClipboard')]: '00000000',
    })
  })

  it('mark it as concealed on macOS', () => {
    expect(bytesOf('darwin')).toEqual({ ...secret, [osFormat('org.nspasteboard.ConcealedType')]: '31' })
  })

  it.each(['linux', 'freebsd'] as const)('mark it as a password for KDE on %s', (platform) => {
    expect(bytesOf(platform)).toEqual({
      ...secret,
      [osFormat('x-kde-passwordManagerHint')]: Buffer.from('secret').toString('hex'),
    })
  })
})
