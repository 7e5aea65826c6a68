import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { permittedOptions, plainOptions, readOptions } from './plain-options'

describe('options of the user', () => {
  it('are written with ssh’s spelling, and variables are merged', () => {
    expect(
      readOptions('compression=yes  SetEnv=HF_HOME=/data\tsetenv=LANG=C.UTF-8 Ciphers=^aes256-ctr'),
    ).toEqual([
      ['Compression', 'yes'],
      ['Ciphers', '^aes256-ctr'],
      ['SetEnv', 'HF_HOME=/data LANG=C.UTF-8'],
    ])
    expect(plainOptions(' SETENV=A=1 connecttimeout=5 SetEnv=B= ')).toBe(
      'ConnectTimeout=5 SetEnv=A=1 SetEnv=B=',
    )
    expect(readOptions(' ')).toEqual([])
    const identity =
      'SendEnv=GIT_AUTHOR_NAME SetEnv=GIT_AUTHOR_EMAIL=ada@example.com SendEnv=GIT_COMMITTER_NAME'
    expect(readOptions(identity)).toEqual([
      ['SendEnv', 'GIT_AUTHOR_NAME GIT_COMMITTER_NAME'],
      ['SetEnv', 'GIT_AUTHOR_EMAIL=ada@example.com'],
    ])
  })

  it('are all named in the guide', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guide/ssh.md'), 'utf8')
    expect(permittedOptions.filter((name) => !guide.includes(name))).toEqual([])
  })

  it.each([
    'ProxyCommand=id',
    'LocalCommand=id',
    'PermitLocalCommand=yes',
    'KnownHostsCommand=/bin/id',
    'PKCS11Provider=/tmp/x.so',
    'SecurityKeyProvider=/tmp/x.so',
    'Include=/etc/passwd',
    'Match=exec',
    'UserKnownHostsFile=/dev/null',
    'StrictHostKeyChecking=no',
    'HostKeyAlias=other',
    'ControlPath=/tmp/x',
    'IdentityFile=/etc/passwd',
    'LocalForward=8080',
    'ForwardAgent=yes',
    'SendEnv=*',
    'SendEnv=GIT_*',
    'SendEnv=-PATH',
    'SendEnv=A,B',
    'SendEnv=',
    'Compression',
    'Compression=maybe',
    'Compression=yes Compression=no',
    'ConnectTimeout=-1',
    'Ciphers=aes256-ctr;id',
    'Ciphers=$(id)',
    'SetEnv=A',
    'SetEnv=A=$(id)',
    'SetEnv=A="b"',
    'SetEnv=A=%h',
    'SetEnv=1A=b',
    '-oProxyCommand=id',
    'Compression=yes -oProxyCommand=id',
    'constructor=yes',
    `SetEnv=A=${'b'.repeat(300)}`,
    'SetEnv=A=b '.repeat(300),
  ])('are refused: %s', (text) => {
    expect(readOptions(text)).toBeNull()
    expect(() => plainOptions(text)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ field: 'options' }) }),
    )
  })
})
