import { describe, expect, it } from 'vitest'
import {
  aliasFileOf,
  hostPatternsIn,
  hostsIn,
  includeLine,
  includesIn,
  isConfigText,
  isIncluded,
  matchesPattern,
  withInclude,
  withoutInclude,
} from './ssh-config-parser'

describe('the line in the user’s configuration', () => {
  it.each([
    '',
    '\n',
    '# only a comment',
    'Host a\n  User jane',
    'Host a\r\n  User jane\r\n',
    '\r\n\r\n',
    'User jane\nHost *\n\tPort 22\n\n\n',
    `Host a\n  ${'# long '.repeat(10_000)}\n`,
    'Host gr\u00fc\u00dfe\n  User j\u00ff\n',
    'Match exec "true"\n  User "jane',
  ])('is first in front of %j, and leaves every byte unchanged after its removal', (text) => {
    const changed = withInclude(text)
    expect(changed.slice(changed.indexOf('\n') + 1)).toBe(text)
    expect(isIncluded(changed)).toBe(true)
    expect(withInclude(changed)).toBe(changed)
    expect(withoutInclude(changed)).toBe(text)
  })

  it('has the line end of the file', () => {
    expect(withInclude('Host a\r\n')).toBe(`${includeLine}\r\nHost a\r\n`)
    expect(withInclude('Host a\n')).toBe(`${includeLine}\nHost a\n`)
  })

  it('below a Host or Match applies only there, so it is added again', () => {
    const below = `Host a\n  ${includeLine}\n`
    expect(isIncluded(below)).toBe(false)
    expect(withInclude(below).startsWith(`${includeLine}\n`)).toBe(true)
    expect(isIncluded(`User jane\n${includeLine}\nMatch all\n`)).toBe(true)
    expect(isIncluded(`host=a\n${includeLine}\n`)).toBe(false)
  })

  it('is removed without later additions', () => {
    expect(withoutInclude(`# mine\n${includeLine}\nHost a\n`)).toBe('# mine\nHost a\n')
  })
})

it('a profile has its own file, and the usual profile the plain name', () => {
  expect(aliasFileOf('/home/anna/.config/Wheelhouse', '/home/anna/.config/Wheelhouse')).toBe(
    'wheelhouse.conf',
  )
  const [work, other] = ['/work', '/other'].map((folder) => aliasFileOf(folder, '/usual'))
  expect(work).toMatch(/^wheelhouse-[0-9a-f]{8}\.conf$/)
  expect(work).not.toBe(other)
})

describe('a configuration', () => {
  it.each([
    ['Host a\n', true],
    ['  Port=22\n', true],
    ['Host\n', false],
    ['Host a\0\n', false],
    ['\xef\xbb\xbfHost a\n', false],
    ['{"json": true}\n', false],
    ['\x7fELF\x02\x01', false],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\n', false],
  ])('%j is valid: %s', (text, expected) => {
    expect(isConfigText(text)).toBe(expected)
  })

  it('names hosts, patterns and included files', () => {
    const text =
      'Host a "b c" *.lab gpu-? !d # e\n  HOST = f\nhost\tg\nMatch host h\nInclude ~/x "y z" conf.d/*\n'
    // A host with its own options is in use, on a Host or a Match line.
    expect(hostsIn(text)).toEqual(['a', 'b c', 'f', 'g', 'h'])
    expect(hostPatternsIn(`${text}Host * ?* pro*d !x* 10.*\n`)).toEqual(['gpu-?', 'pro*d'])
    expect(includesIn(text)).toEqual(['~/x', 'y z', 'conf.d/*'])
  })

  it.each([
    ['Match host nas', ['nas']],
    ['match originalhost nas,db', ['nas', 'db']],
    ['Match user host host nas', ['nas']],
    ['Match host=nas', ['nas']],
    ['Match final Host "nas" exec "test -f host b"', ['nas']],
    ['Match !host nas', []],
    ['Match host !nas,*', []],
    ['Match all', []],
    ['Match user nas', []],
    ['Match exec "host nas"', []],
    ['# Match host nas', []],
  ])('%j names %j', (line, names) => {
    expect(hostsIn(`${line}\n  User jane\n`)).toEqual(names)
  })

  it('names patterns on a Match line too', () => {
    expect(hostPatternsIn('Match host gpu-*,*.lab,*\nMatch originalhost db?\n')).toEqual(['gpu-*', 'db?'])
  })

  it.each([
    ['many blanks', `Host a${' '.repeat(100_000)}b`],
    ['a long name', `Host ${'a'.repeat(100_000)}.`],
    ['many criteria', `Match ${'host a '.repeat(20_000)}`],
    ['many patterns', `Match host ${'a,'.repeat(100_000)}`],
    // Backtracking takes minutes.
  ])('is read quickly, even with %s', { timeout: 30_000 }, (_what, text) => {
    expect([hostsIn(text).includes('a'), isConfigText(text)]).toEqual([!text.endsWith('.'), true])
    expect(hostPatternsIn(text.replace('.', '*.'))).toEqual([])
  })
})

it.each([
  ['gpu-?', 'gpu-1', true],
  ['gpu-?', 'gpu-', false],
  ['gpu-?', 'gpu-12', false],
  ['*', '', true],
  ['a**', 'a', true],
  ['*ab*b', 'aabab', true],
  ['*ab*b', 'aaba', false],
  ['pro*d', 'prod-d', true],
  ['a.c', 'abc', false],
  ['*a*a*a*a*a*a*b', 'a'.repeat(63), false],
])('the pattern %s matches %s: %s', { timeout: 10_000 }, (pattern, name, expected) => {
  expect(matchesPattern(pattern, name)).toBe(expected)
})
