import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ESLint } from 'eslint'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scriptCases } from '../test/fixtures/lint-cases'
import { acceptedFiles, fileCases } from '../test/fixtures/lint-files'
import { vueCases } from '../test/fixtures/lint-vue-cases'
import { describeWith } from '../test/fixtures/system-requirements'
import { lint } from './lint.mjs'

const root = join(import.meta.dirname, '..')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wheelhouse-lint-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const OxlintReport = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) })
const EslintReport = z.array(
  z.object({ filePath: z.string(), messages: z.array(z.object({ ruleId: z.string().nullable() })) }),
)

const Rules = z.object({ rules: z.record(z.string(), z.tuple([z.number()], z.unknown())) })

const OxlintRules = z.record(z.string(), z.unknown())
const OxlintConfig = z.object({
  rules: OxlintRules,
  overrides: z.array(z.object({ rules: OxlintRules })),
})

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}
const scriptFile = (rule: string, kind: 'ts' | 'vue'): string => `src/main/${rule.replace('/', '-')}.${kind}`
const inComponent = (code: string): string =>
  `<script setup lang="ts">\n${code.replaceAll(/^export /gm, '')}\n</script>\n\n<template><p /></template>\n`

/** The rules that each file breaks, as oxlint's configuration calls them. */
const broken = new Map<string, Set<string>>()
const note = (file: string, rule: string): void => {
  broken.set(file, (broken.get(file) ?? new Set()).add(rule))
}
const rulesOf = (file: string): readonly string[] => [...(broken.get(file) ?? [])]

beforeAll(async () => {
  for (const name of ['.oxlintrc.json', 'tsconfig.json', 'src/shared/tsconfig.json', 'package.json'])
    cpSync(join(root, name), join(folder, name))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  // The linters read .gitignore only in a repository, which they detect by this folder.
  mkdirSync(join(folder, '.git'))
  for (const { rule, code } of scriptCases) {
    write(scriptFile(rule, 'ts'), code)
    write(scriptFile(rule, 'vue'), inComponent(code))
  }
  for (const { file, code } of [...fileCases, ...vueCases, ...acceptedFiles]) write(file, code)

  const reports = await lint(folder, { oxlint: 'json', eslint: 'json' })
  expect(reports.clean).toBe(false)
  // eslint(eqeqeq), typescript(no-explicit-any)
  for (const { code, filename } of OxlintReport.parse(JSON.parse(reports.oxlint)).diagnostics)
    note(filename, code.replace(/^eslint\((.*)\)$/, '$1').replace(/^(.*)\((.*)\)$/, '$1/$2'))
  for (const { filePath, messages } of EslintReport.parse(JSON.parse(reports.eslint)))
    for (const { ruleId } of messages)
      note(
        filePath.slice(folder.length + 1),
        (ruleId ?? 'unreadable')
          .replace('@typescript-eslint/no-unused-vars', 'no-unused-vars')
          .replace('@typescript-eslint/', 'typescript/'),
      )
})

describe('the linters', () => {
  it.each(scriptCases)('reject $rule in a module', ({ rule }) => {
    expect(rulesOf(scriptFile(rule, 'ts'))).toContain(rule)
  })

  it.each(scriptCases)('reject $rule in a component', ({ rule }) => {
    expect(rulesOf(scriptFile(rule, 'vue'))).toContain(rule)
  })

  it.each([...fileCases, ...vueCases])('reject $rule in $file', ({ rule, file }) => {
    expect(rulesOf(file)).toContain(rule)
  })

  it('have a fixture for every rule of .oxlintrc.json', () => {
    const { config } = z
      .object({ config: OxlintConfig })
      .parse(
        ts.parseConfigFileTextToJson('.oxlintrc.json', readFileSync(join(root, '.oxlintrc.json'), 'utf8')),
      )
    const fixtures = [...scriptCases, ...fileCases].map(({ rule }) => rule)
    const rules = [config.rules, ...config.overrides.map((one) => one.rules)]
      .flatMap((one) => Object.entries(one))
      .filter(([, level]) => level !== 'off')
      .map(([rule]) => rule)
    expect(rules.filter((rule) => !fixtures.includes(rule))).toEqual([])
    expect(rules.length).toBeGreaterThan(60)
  })

  it('have a fixture for every rule about components', async () => {
    const eslint = new ESLint({ cwd: root })
    const { rules } = Rules.parse(await eslint.calculateConfigForFile(join(root, 'src/renderer/app/App.vue')))
    const fixtures = [...fileCases, ...vueCases].map(({ rule }) => rule)
    // These two report nothing themselves.
    const silent = ['vue/comment-directive', 'vue/jsx-uses-vars']
    const missing = Object.entries(rules)
      .filter(([rule, [level]]) => rule.startsWith('vue/') && level !== 0)
      .map(([rule]) => rule)
      .filter((rule) => !fixtures.includes(rule) && !silent.includes(rule))
    expect(missing).toEqual([])
  })

  it.each(acceptedFiles)('accept $rule in $file', ({ rule, file }) => {
    expect(rulesOf(file)).not.toContain(rule)
  })
})

describeWith(['git'], 'the sources', () => {
  it('contain no comment that turns off a linter or the compiler', () => {
    const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    })
    const directive =
      /(?:\/\/|\/\*|<!--)\s*(?:(?:eslint|oxlint)-(?:disable|enable)|eslint\s|@ts-(?:ignore|nocheck|expect-error))/
    const offenders = files
      .split('\0')
      .filter((file) => /\.(ts|mts|js|mjs|cjs|vue)$/.test(file) && file !== 'test/fixtures/lint-cases.ts')
      .filter((file) => directive.test(readFileSync(join(root, file), 'utf8')))
    expect(offenders).toEqual([])
  })
})
