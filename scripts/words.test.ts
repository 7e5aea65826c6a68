import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const glossary = 'docs/architecture.md'
/** This table lists the words; the disk of an older version has them. */
const exempt = [/^scripts\/words\.test\.ts$/, /^test\/fixtures\/disk-v/]
const folders = ['src', 'test', 'bench', 'scripts', 'docs']

const read = (file: string): string => readFileSync(file, 'utf8')
const table = /^## Words that are not used$.*?(?=^## |$(?![^]))/ms

/** Rows `| not | instead |` of the glossary; words of one row are separated by commas. */
const avoided = [...(table.exec(read(glossary))?.[0] ?? '').matchAll(/^\| ([a-z ,]+?) +\| (?!-)/gm)].flatMap(
  ([, words = '']) => words.split(', '),
)
const forbidden = new RegExp(String.raw`\b(?:${avoided.join('|')})\b`, 'i')

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

it('finds the words of the glossary nowhere', () => {
  expect(avoided.length).toBeGreaterThan(10)
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
    encoding: 'utf8',
  })
  const files = listed
    .split('\n')
    .filter((file) => /\.(?:ts|mts|mjs|js|vue|css|html|md)$/.test(file))
    .filter((file) => !exempt.some((pattern) => pattern.test(file)))
  expect(files.length).toBeGreaterThan(900)
  const lines = files.flatMap((file) =>
    found(file === glossary ? read(file).replace(table, '') : read(file)).map(
      (line) => `${file}: ${line.trim()}`,
    ),
  )
  expect(lines).toEqual([])
})
