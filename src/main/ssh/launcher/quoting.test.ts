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

/** One word as PowerShell reads it: about_Quoting_Rules. Throws where it would expand or end anywhere but at the end. */
const readByPowerShell = (word: string): string => {
  if (!word.startsWith('"')) {
    if (/[`$'"()&|<>;,{}@#\s\u2018-\u201E]/.test(word)) throw new Error(`PowerShell reads more in ${word}`)
    return word
  }
  const inner = word.slice(1, -1)
  if (/[$"\u201C-\u201E]/.test(inner.replace(/`./gs, ''))) throw new Error(`PowerShell expands ${word}`)
  return inner.replace(/`(.)/gs, '$1')
}

/** One word as cmd and the C runtime read it. Throws where cmd would take a part of it for its own. */
const readByCmd = (word: string): string => {
  if (/[&|<>^\s]/.test(word.replace(/"[^"]*"/g, ''))) throw new Error(`cmd runs more than ${word}`)
  return word.replaceAll('"', '')
}

const windowsNames = [
  'C:/Users/jane/.ssh/id',
  'C:/Users/Jane Doe/.ssh/id',
  'C:/Users/Jane (Work)/.ssh/id',
  'C:/Users/jane(work)/.ssh/id',
  "C:/Users/o'neil/.ssh/id",
  'C:/a&calc/id',
  'C:/a|b<c>d^e;f,g/id',
  'C:/@(1)#{2}/id',
]

it.each(windowsNames)('reads %s in cmd and in PowerShell as it is', (name) => {
  expect([readByPowerShell(windowsQuoted(name)), readByCmd(windowsQuoted(name))]).toEqual([name, name])
})

it.each([
  'C:/Users/$(calc)/id',
  'C:/$env:PATH/id',
  'C:/`calc`/id',
  'C:/$(calc) & calc/id',
  'C:/\u201D; calc; \u201C/id',
])('runs and expands nothing of %s', (name) => {
  expect(readByPowerShell(windowsQuoted(name))).toBe(name)
  expect(() => readByCmd(windowsQuoted(name))).not.toThrow()
})

it('quotes file names for ssh_config', () => {
  expect(sshConfigQuoted('/home/jane/.config/known_hosts')).toBe('/home/jane/.config/known_hosts')
  expect(sshConfigQuoted('/a b/50%')).toBe('"/a b/50%%"')
  expect(sshConfigQuoted('/a"b\\c#d')).toBe('"/a\\"b\\\\c#d"')
})
