import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeWith } from '../test/fixtures/system-requirements'
import { en } from '#shared/messages/en/index'

const guide = 'docs/words.md'
/** This table lists the words; the disk of an older version has them. */
const exempt = [/^scripts\/words\.test\.ts$/, /^test\/fixtures\/disk-v/]
const folders = ['src', 'test', 'bench', 'scripts', 'docs']

const read = (file: string): string => readFileSync(file, 'utf8')
const table = /^## Words that are not used$.*?(?=^## |$(?![^]))/ms

/** Rows `| not | instead | where |` of the guide; words of one row are separated by commas. */
const avoided = (where: string): readonly string[] =>
  [...(table.exec(read(guide))?.[0] ?? '').matchAll(/^\| ([a-z ,]+?) +\|.+\| ([a-z ]+?) +\|$/gm)]
    .filter(([, , place]) => place === where)
    .flatMap(([, words = '']) => words.split(', '))
const wordsOf = (words: readonly string[]): RegExp => new RegExp(String.raw`\b(?:${words.join('|')})\b`, 'i')

const everywhere = avoided('everywhere')
const onScreen = avoided('on screen')
const forbidden = wordsOf(everywhere)
const forbiddenOnScreen = wordsOf([...everywhere, ...onScreen])

type Messages = string | { readonly [key: string]: Messages }

/** Every message below `path` as `path: text`. */
const linesOf = (messages: Messages, path: string): readonly string[] =>
  typeof messages === 'string'
    ? [`${path}: ${messages}`]
    : Object.entries(messages).flatMap(([key, value]) => linesOf(value, `${path}.${key}`))

/** The messages that say a forbidden word; a key and the name of a placeholder are not read by anyone. */
const foundOnScreen = (messages: Messages): readonly string[] =>
  linesOf(messages, 'en').filter((line) =>
    forbiddenOnScreen.test(line.replace(/^\S+: /, '').replace(/\{\w+\}/g, '')),
  )

/** Neither AppleScript, nor the fields of an older version, nor a word that is quoted as such. */
const quoted = [/'(?:end )?tell\b[^'\n]*'/g, /withRenamed\([^{]*\{[^}]*\}/g, /`\w+`/g]

const found = (text: string): readonly string[] =>
  quoted
    .reduce((rest, pattern) => rest.replace(pattern, ''), text)
    .split('\n')
    .filter((line) => forbidden.test(line.replace(/([a-z])([A-Z])/g, '$1 $2')))

it.each([
  ['// The window is told.', true],
  ['const valueNotTold = 1', true],
  ['const untold = 1', true],
  ['it was called off', true],
  ['\'tell application "Terminal"\',', false],
  ["withRenamed(value, { told: 'notified' })", false],
  ['/** It was `told` up to version 0.1.0. */', false],
  ['const unfoldTable = 1', false],
])('finds in %s: %s', (line, expected) => expect(found(line)).toEqual(expected ? [line] : []))

it.each([
  ['3 machines are charged for', true],
  ['Chosen by ssh', true],
  ['You’re billed until it’s deleted.', false],
  ['{chosen} selected', false],
])('finds on screen in %s: %s', (text, expected) =>
  expect(foundOnScreen({ chosen: text })).toEqual(expected ? [`en.chosen: ${text}`] : []),
)

it('finds the words that are not used on screen in no message', () => {
  expect(onScreen.length).toBeGreaterThan(20)
  expect(foundOnScreen(en)).toEqual([])
})

it.each([
  ['The service may refuse to', 'nobody has tried yet'],
  ['Billed but not listed', 'in no list here'],
  ['CPU idle; GPU not monitored', 'its CPU does nothing'],
  ['wasted', 'meanwhile'],
  ['Attached volumes are kept and still billed.', 'are billed on'],
  ['Stopping {machine}. You’re still billed.', 'Its billing'],
  ['Currency not reported; showing {currency}.', 'is assumed'],
  ['We’ll notify you when it’s ready.', 'You are told'],
  ['Waiting for an address…', 'told an address'],
  ['Start time unknown', 'Started: not'],
  ['Use only letters, digits, dots, dashes and underscores;', 'in the right form'],
  ['{count} selected', '{count} chosen'],
  ['Trust this key', 'record it'],
  ['Waiting for your confirmation', 'not read yet'],
  ['All {count} resources', 'has cost'],
  ['This period', 'In this time'],
  ['All time', 'Whole life'],
  ['Deleted', 'no longer there'],
  ['Draft saved', 'is kept until it is sent'],
  ['This is a simulation', 'looks like the real thing'],
  ['Needs attention', 'Needs a look'],
  ['This isn’t a compatible service.', 'was not understood'],
  ['History isn’t saved', 'Nothing is kept on disk'],
  ['Budget saved.', 'watched from now on'],
])('says “%s”, and “%s” nowhere', (said, former) => {
  const lines = linesOf(en, 'en')
  expect(lines.filter((line) => line.includes(said))).not.toEqual([])
  expect(lines.filter((line) => line.includes(former))).toEqual([])
})

describeWith(['git'], 'the words of the guide', () => {
  it('are found nowhere', () => {
    expect(everywhere.length).toBeGreaterThan(10)
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
      encoding: 'utf8',
    })
    const files = listed
      .split('\n')
      .filter((file) => /\.(?:ts|mts|mjs|js|vue|css|html|md)$/.test(file))
      .filter((file) => !exempt.some((pattern) => pattern.test(file)))
    expect(files.length).toBeGreaterThan(900)
    const lines = files.flatMap((file) =>
      found(file === guide ? read(file).replace(table, '') : read(file)).map(
        (line) => `${file}: ${line.trim()}`,
      ),
    )
    expect(lines).toEqual([])
  })
})
