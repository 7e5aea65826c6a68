import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeWith } from '../test/fixtures/system-requirements'
import { en } from '#shared/messages/en/index'
import { oddSentences, proseFiles } from './prose.mjs'

const guide = 'docs/words.md'
/**
 * Upper bounds on the sentences that break a rule of docs/words.md, by folder. Lower a bound after rewriting;
 * `node scripts/prose.mjs FOLDER` lists the sentences.
 */
const oddSentenceBounds = {
  src: 179,
  scripts: 0,
  bench: 0,
  test: 0,
  'docs README.md CONTRIBUTING.md SECURITY.md': 0,
}
/** Files that quote the words, and glossaries and texts of other languages. */
const exempt = [
  /^scripts\/words\.test\.ts$/,
  /^scripts\/prose\.mjs$/,
  /^docs\/languages\//,
  /^src\/shared\/messages\/(?!en\/)[^/]+\//,
]
const folders = ['src', 'test', 'bench', 'scripts', 'docs']

const read = (file: string): string => readFileSync(file, 'utf8')
const table = /^## Words that are not used$.*?(?=^## |$(?![^]))/ms

/** Reads a file; the guide without its table of banned words. */
const withoutTable = (file: string): string => (file === guide ? read(file).replace(table, '') : read(file))

/** Returns the words of the rows `| not | instead | place |` in the guide; commas separate words of one row. */
const avoided = (place: string): readonly string[] =>
  [...(table.exec(read(guide))?.[0] ?? '').matchAll(/^\| ([a-z ,]+?) +\|.+\| ([a-z ]+?) +\|$/gm)]
    .filter(([, , cell]) => cell === place)
    .flatMap(([, words = '']) => words.split(', '))
const wordsOf = (words: readonly string[]): RegExp => new RegExp(String.raw`\b(?:${words.join('|')})\b`, 'i')

const everywhere = avoided('everywhere')
const onScreen = avoided('on screen')
const forbidden = wordsOf(everywhere)
const forbiddenOnScreen = wordsOf([...everywhere, ...onScreen])

type Messages = string | { readonly [key: string]: Messages }

/** Returns every message below `path` as `path: text`. */
const linesOf = (messages: Messages, path: string): readonly string[] =>
  typeof messages === 'string'
    ? [`${path}: ${messages}`]
    : Object.entries(messages).flatMap(([key, value]) => linesOf(value, `${path}.${key}`))

/** Returns the messages with a forbidden word, ignoring keys and placeholders, which users never see. */
const foundOnScreen = (messages: Messages): readonly string[] =>
  linesOf(messages, 'en').filter((line) =>
    forbiddenOnScreen.test(line.replace(/^\S+: /, '').replace(/\{\w+\}/g, '')),
  )

/** Text to ignore: AppleScript, fields of older versions and quoted words. */
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
])('the ban on words everywhere covers %s: %s', (line, expected) =>
  expect(found(line)).toEqual(expected ? [line] : []),
)

it.each([
  ['3 machines are charged for', true],
  ['Chosen by ssh', true],
  ['You’re billed until it’s deleted.', false],
  ['{chosen} selected', false],
])('the ban on words on screen covers %s: %s', (text, expected) =>
  expect(foundOnScreen({ chosen: text })).toEqual(expected ? [`en.chosen: ${text}`] : []),
)

it('messages use no word that is banned on screen', () => {
  expect(onScreen.length).toBeGreaterThan(20)
  expect(foundOnScreen(en)).toEqual([])
})

it.each([
  ['The service may refuse to', 'nobody has tried yet'],
  ['Billed but not listed', 'in no list here'],
  ['GPU use not measured', 'its CPU does nothing'],
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
])('messages contain “%s” and nowhere “%s”', (current, former) => {
  const lines = linesOf(en, 'en')
  expect(lines.filter((line) => line.includes(current))).not.toEqual([])
  expect(lines.filter((line) => line.includes(former))).toEqual([])
})

describeWith(['git'], 'words that docs/words.md bans', () => {
  it('appear in no file', () => {
    expect(everywhere.length).toBeGreaterThan(10)
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
      encoding: 'utf8',
    })
    const files = listed
      .split('\n')
      .filter((file) => /\.(?:ts|mts|mjs|js|vue|css|html|md)$/.test(file))
      .filter((file) => !exempt.some((pattern) => pattern.test(file)))
    expect(files.length).toBeGreaterThan(900)
    const lines = files.flatMap((file) => found(withoutTable(file)).map((line) => `${file}: ${line.trim()}`))
    expect(lines).toEqual([])
  })
})

it.each([
  ['x.ts', '// What of the time is over.', 'subject first'],
  ['x.ts', '/**\n * Drops the list. Of the others\n * nothing is kept.\n */', 'subject first'],
  ['x.vue', '<!-- Rows, those that are open first. -->', 'name the noun'],
  ['x.mjs', '/* Null, where there is none. */', 'if or when'],
  ['x.ts', '// The service says why.', 'verbs of speech'],
  ['x.ts', '/** Choices of the person. */', 'usual words'],
  ['x.test.ts', "it('is said to go on', () => {", 'verbs of speech'],
  ['x.spec.ts', "it.each([\n  1,\n])('what %s does', (n) => {", 'subject first'],
  ['x.md', `Waits ${'and waits '.repeat(20)}.`, 'one idea'],
  ['x.md', '| Menu | What it does |', 'subject first'],
])('sentences in %s break a rule: %j', (file, text, rule) => {
  expect(oddSentences(file, text).map((found) => found.rule)).toEqual([rule])
})

it.each([
  ['x.ts', '/** Returns the rows. Null if `what it is` is missing. */'],
  ['x.ts', "const whatever = 'what is it'"],
  ['x.ts', "it('what code outside of test files names', () => {"],
  ['x.test.ts', "it('a machine whose name is null keeps its row', () => {"],
  ['x.md', 'Opens the panel.\n\n```ts\n// What is it\n```\n'],
  ['x.md', 'The button reads “What is it”.'],
])('sentences in %s break no rule: %j', (file, text) => expect(oddSentences(file, text)).toEqual([]))

describeWith(['git'], 'sentences that break a rule', () => {
  it.each(Object.entries(oddSentenceBounds))('in %s are at most %i', (folders, most) => {
    const sentences = proseFiles(folders.split(' '))
      .filter((file) => !exempt.some((pattern) => pattern.test(file)))
      .flatMap((file) =>
        oddSentences(file, withoutTable(file)).map(({ rule, sentence }) => `${file}: ${sentence} (${rule})`),
      )
    expect(sentences.length <= most ? [] : sentences).toEqual([])
  })
})
