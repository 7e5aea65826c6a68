import { describe, expect, it } from 'vitest'
import { draftOf, readDraft } from './ssh-defaults-draft'

const unset = draftOf({})

describe('typed SSH defaults', () => {
  it('are trimmed, and an empty field clears the setting', () => {
    const typed = { ...unset, user: ' root ', port: ' 2222 ', options: ' Compression=yes ' }
    expect(readDraft(typed)).toEqual({
      user: { kind: 'value', value: 'root' },
      port: { kind: 'value', value: 2222 },
      identityFile: { kind: 'value', value: null },
      jumpHost: { kind: 'value', value: null },
      forwardAgent: { kind: 'value', value: null },
      options: { kind: 'value', value: 'Compression=yes' },
    })
  })

  it.each(['0', '65536', '22x', '-1'])('a port of %s is invalid, and the rest is valid', (port) => {
    const reading = readDraft({ ...unset, port, user: 'root' })
    expect(reading.port).toEqual({ kind: 'wrong', message: 'ssh.port.range' })
    expect(reading.user).toEqual({ kind: 'value', value: 'root' })
  })
})
