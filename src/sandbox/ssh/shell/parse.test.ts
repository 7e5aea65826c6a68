import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseLine, type Word } from './parse'

const shown = (word: Word): string =>
  word.map((part) => ('text' in part ? part.text : `<${part.variable}>`)).join('')

const wordsOf = (line: string): string[][] => {
  const parsed = parseLine(line)
  if (parsed.kind === 'error') throw new Error(parsed.message)
  return parsed.commands.map((command) => ('words' in command ? command.words.map(shown) : ['if']))
}
const problemOf = (line: string): string => {
  const parsed = parseLine(line)
  return parsed.kind === 'error' ? parsed.message : 'accepted'
}

describe('a command line', () => {
  it.each([
    ['ls  -l\t/tmp', [['ls', '-l', '/tmp']]],
    [`echo 'a  b' "c \\"d\\"" e\\ f ''`, [['echo', 'a  b', 'c "d"', 'e f', '']]],
    ['echo $HOME "${USER}s" \'$HOME\' \\$HOME $?', [['echo', '<HOME>', '<USER>s', '$HOME', '$HOME', '<?>']]],
    ['cd ~/x ~ a~', [['cd', '<HOME>/x', '<HOME>', 'a~']]],
    ['a; b && c || d', [['a'], ['b'], ['c'], ['d']]],
    ['a\nb # c d', [['a'], ['b']]],
    ['# a\nb # c && d\n#\nc#d', [['b'], ['c#d']]],
    ['a &&\n\n b || # c\n d', [['a'], ['b'], ['d']]],
    ['', []],
    ['echo 5$ $', [['echo', '5$', '$']]],
  ])('%j', (line, expected) => {
    expect(wordsOf(line)).toEqual(expected)
  })

  it('contains conditions and redirections', () => {
    expect(parseLine('a && b >> "x y" 2>&1')).toEqual({
      kind: 'commands',
      commands: [
        { after: 'anything', words: [[{ text: 'a' }]], redirects: [] },
        {
          after: 'success',
          words: [[{ text: 'b' }]],
          redirects: [
            { from: 'stdout', to: { path: [{ text: 'x y' }], append: true } },
            { from: 'stderr', to: 'stdout' },
          ],
        },
      ],
    })
  })

  it.each([
    [`echo "x`, 'unexpected EOF while looking for matching `"\''],
    ['a | b', "pipes: not part of the sandbox's shell"],
    ['a &', "background jobs: not part of the sandbox's shell"],
    ['echo $(ls)', "command substitution: not part of the sandbox's shell"],
    ['echo `ls`', "command substitution: not part of the sandbox's shell"],
    ['a < b', "input from a file: not part of the sandbox's shell"],
    ['; a', "syntax error near unexpected token `;'"],
    ['a &&', "syntax error near unexpected token `newline'"],
    ['a >', "syntax error near unexpected token `newline'"],
    ['(a)', "syntax error near unexpected token `('"],
  ])('%j is refused: %s', (line, message) => {
    expect(problemOf(line)).toBe(message)
  })

  it('is parsed without an exception, whatever it contains', () => {
    const character = fc.constantFrom(...`ab ~/$?{}()"'\\;&|<>12#\n\`\t`)
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 40 }), (line) => {
        expect(['commands', 'error']).toContain(parseLine(line).kind)
      }),
    )
  })
})
