import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { posixQuoted, powershellQuoted, sshConfigQuoted, windowsQuoted } from './quoting'

const nasty = [
  'plain',
  'a b',
  "it's",
  '"quoted"',
  '$HOME',
  '`id`',
  '$(id)',
  'a\\b',
  'a;b',
  '!x',
  '*',
  'ü ß',
  '',
  'a\nb',
  '-x',
]

describe('for a POSIX shell', () => {
  it('every argument comes out of a real shell as it went in', () => {
    const line = `printf '%s\\0' ${nasty.map(posixQuoted).join(' ')}`
    const words = execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' }).split('\0').slice(0, -1)
    expect(words).toEqual(nasty)
  })
})

it('quotes for PowerShell, typographic quotes included', () => {
  expect(powershellQuoted("o'neil")).toBe("'o''neil'")
  expect(powershellQuoted('a\u2019; rm x')).toBe("'a\u2019\u2019; rm x'")
  expect(powershellQuoted('$env:PATH `n')).toBe("'$env:PATH `n'")
})

it('quotes for cmd and PowerShell alike', () => {
  expect(windowsQuoted('C:/Users/jane/.ssh/id')).toBe('C:/Users/jane/.ssh/id')
  expect(windowsQuoted('C:/Users/Jane Doe/.ssh/id')).toBe('"C:/Users/Jane Doe/.ssh/id"')
})

it('quotes file names for ssh_config', () => {
  expect(sshConfigQuoted('/home/jane/.config/known_hosts')).toBe('/home/jane/.config/known_hosts')
  expect(sshConfigQuoted('/a b/50%')).toBe('"/a b/50%%"')
  expect(sshConfigQuoted('/a"b\\c#d')).toBe('"/a\\"b\\\\c#d"')
})
