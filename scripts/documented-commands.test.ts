import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { documented, tried } from './documented-commands.mjs'
import { packages, readers, scriptRuns } from './test.mjs'

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const guide = readdirSync(join(root, 'docs/guide')).filter((file) => file.endsWith('.md'))
const pages = ['README.md', 'CONTRIBUTING.md', ...guide.map((file) => `docs/guide/${file}`)]

/** Start of a line of code that is a command to type; a program's name without arguments is none. */
const starts =
  /^(?:[A-Z_]+=\S+ )?(?:npm|npx|node|bash|sudo|apt|apt-get|ssh|ssh-add|scp|rsync|git|wheelhouse) /
/** Returns the lines of code on a page: each is a command, except in the README's list of folders. */
const commandsOf = (page: string): readonly string[] => {
  const text = read(page)
  const indented = [...text.matchAll(/^ {4}(\S.*)$/gm)].map(([, line = '']) => line.replace(/\s+#.*$/, ''))
  const inline = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  return [
    ...indented.filter((line) => !existsSync(join(root, line.split(/\s/)[0] ?? ''))),
    ...inline.filter((code) => starts.test(code)),
  ]
}
const named = [...new Set(pages.flatMap(commandsOf))]
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')))

describe('the commands of README, CONTRIBUTING and the user guide', () => {
  it('are in lines of code only, outside of fences', () => {
    expect(pages.filter((page) => read(page).includes('```'))).toEqual([])
  })

  it('are each in the list of tested commands, and the list has no others', () => {
    expect(documented.map(({ command }) => command).sort()).toEqual([...named].sort())
  })

  it('are run by the step or the test in the list', () => {
    const steps = [...readers, packages]
    const wrong = documented.filter((row) => {
      if (row.kind === 'test') return !read(row.file).includes(row.has)
      if (row.kind !== 'step') return false
      const [first] = scriptRuns(row.script)
      const runs = steps.find(({ name }) => name === row.step)?.run ?? []
      const begins = (run: readonly string[]): boolean =>
        first?.every((word, at) => run[at] === word) ?? false
      return !(row.script in scripts) || !runs.some(begins)
    })
    expect(wrong).toEqual([])
  })

  it.each(documented.flatMap((row) => (row.kind === 'run' ? [row] : [])))(
    '$command behaves as documented',
    async (row) => {
      expect(await tried(row)).toBeUndefined()
    },
  )

  it('fail if a command fails, ends early, or is missing', async () => {
    const run = (as: string, until?: { line: RegExp }) =>
      tried({ command: as, kind: 'run', ...(until && { until }) })
    expect(await run('node --version')).toBeUndefined()
    expect(await run('node --none')).toMatch(/^9\n.*bad option: --none/)
    expect(await run('node --version', { line: /^never/ })).toMatch(/^0\nv\d/)
    expect(await run('wheelhouse-none')).toContain('ENOENT')
  })
})
