import { describe, expect, it } from 'vitest'
import { changesOf, draftOf } from './ssh-defaults-draft'

const brought = { user: null, port: 40123, identityFile: '/sandbox/key' }

describe('the SSH defaults as typed', () => {
  it('send back nothing that was only shown', () => {
    expect(changesOf(brought, draftOf(brought))).toEqual({})
    expect(changesOf(brought, { ...draftOf(brought), user: ' root ' })).toEqual({ user: 'root' })
  })

  it('take away what was emptied', () => {
    const set = {
      user: 'root',
      port: 22,
      identityFile: '/key',
      jumpHost: 'bastion.example.com',
      forwardAgent: true,
      options: 'Compression=yes',
    }
    const emptied = { jumpHost: '', forwardAgent: false, options: ' ' }
    expect(changesOf(set, { user: ' ', port: '', identityFile: '', ...emptied })).toEqual({
      user: null,
      port: null,
      identityFile: null,
      jumpHost: null,
      forwardAgent: null,
      options: null,
    })
  })
})
