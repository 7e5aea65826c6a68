import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sshConfigQuoted } from '../client/plain-values'
import { posixQuoted, powershellQuoted, windowsQuoted } from './quoting'

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
  it('every argument passes through a real shell unchanged', () => {
    const line = `printf '%s\\0' ${nasty.map(posixQuoted).join(' ')}`
    const words = execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' }).split('\0').slice(0, -1)
    expect(words).toEqual(nasty)
  })
})

it('text is quoted for PowerShell, including typographic quotes', () => {
  expect(powershellQuoted("o'neil")).toBe("'o''neil'")
  expect(powershellQuoted('a\u2019; rm x')).toBe("'a\u2019\u2019; rm x'")
  expect(powershellQuoted('$env:PATH `n')).toBe("'$env:PATH `n'")
})

it('text is quoted for both cmd and PowerShell', () => {
  expect(windowsQuoted('C:/Users/jane/.ssh/id')).toBe('C:/Users/jane/.ssh/id')
  expect(windowsQuoted('C:/Users/Jane Doe/.ssh/id')).toBe('"C:/Users/Jane Doe/.ssh/id"')
})

/** One argument as the C runtime of Windows reads it: a backslash before a double quote is its escape. */
const readByRuntime = (word: string): string => {
  const inner = word.slice(1, -1)
  const end = /\\*$/.exec(inner)?.[0].length ?? 0
  if (end % 2 === 1) throw new Error(`${word} does not end`)
  return inner.slice(0, inner.length - end / 2)
}

/** Parses one word as PowerShell does (about_Quoting_Rules). Throws if PowerShell would expand it or end it early. */
const readByPowerShell = (word: string): string => {
  if (!word.startsWith('"')) {
    if (/^@|[`$'"()&|<>;,{}#\s\u2018-\u201E]/.test(word)) throw new Error(`PowerShell reads more in ${word}`)
    return word
  }
  const inner = word.slice(1, -1)
  if (/[$"\u201C-\u201E]/.test(inner.replace(/`./gs, ''))) throw new Error(`PowerShell expands ${word}`)
  return inner.replace(/`(.)/gs, '$1')
}

/** Parses one word as cmd and the C runtime do. Throws if a part of it has a meaning for cmd. */
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

it.each(windowsNames)('cmd and PowerShell read %s unchanged', (name) => {
  expect([readByPowerShell(windowsQuoted(name)), readByCmd(windowsQuoted(name))]).toEqual([name, name])
})

it.each([
  'C:/Users/$(calc)/id',
  'C:/$env:PATH/id',
  'C:/`calc`/id',
  'C:/$(calc) & calc/id',
  'C:/\u201D; calc; \u201C/id',
])('nothing of %s is run or expanded', (name) => {
  expect(readByPowerShell(windowsQuoted(name))).toBe(name)
  expect(() => readByCmd(windowsQuoted(name))).not.toThrow()
})

it('file names are quoted for ssh_config', () => {
  expect(sshConfigQuoted('/home/jane/.config/known_hosts')).toBe('/home/jane/.config/known_hosts')
  expect(sshConfigQuoted('/a b/50%')).toBe('"/a b/50%%"')
  expect(sshConfigQuoted('/a"b\\c#d')).toBe('"/a\\"b\\\\c#d"')
})

describe('any text', () => {
  /** Texts as a hostile service or folder may hold them: every special character is frequent. */
  const text = (alphabet: string): fc.Arbitrary<string> =>
    fc
      .array(fc.oneof(fc.constantFrom(...alphabet), fc.string({ unit: 'grapheme', maxLength: 2 })))
      .map((all) => all.join(''))
  const special = ' \t\'"`$(){}[]<>|&;*?!#~=%^\\@-\u2018\u2019\u201A\u201B\u201C\u201D\u201Eax/:'

  it.each(['sh', 'bash', 'dash'])('passes through a real %s unchanged', (shell) => {
    const plain = text(special + '\n').filter((one) => !/[\0\p{Cs}]/u.test(one))
    fc.assert(
      fc.property(fc.array(plain, { minLength: 20, maxLength: 40 }), (all) => {
        const line = `printf '%s\\0' ${all.map(posixQuoted).join(' ')}`
        expect(execFileSync(shell, ['-c', line], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(all)
      }),
      { numRuns: 10 },
    )
  })

  it('is one literal for PowerShell', () => {
    fc.assert(
      fc.property(text(special), (one) => {
        const literal = powershellQuoted(one)
        const inner = literal.slice(1, -1)
        // A pair of quotes means one quote.
        expect(inner.replace(/(['\u2018-\u201B])\1/g, '')).not.toMatch(/['\u2018-\u201B]/)
        expect(inner.replace(/(['\u2018-\u201B])\1/g, '$1')).toBe(one)
      }),
    )
  })

  it('without a double quote is one harmless word for PowerShell and cmd', () => {
    const name = text(special.replace('"', '')).filter((one) => one !== '' && !/["\p{Cc}]/u.test(one))
    fc.assert(
      fc.property(name, (one) => {
        const word = windowsQuoted(one)
        const read = readByPowerShell(word)
        expect(word.startsWith('"') ? readByRuntime(`"${read}"`) : read).toBe(one)
        expect(() => readByCmd(word)).not.toThrow()
      }),
      { numRuns: 1_000 },
    )
  })
})
