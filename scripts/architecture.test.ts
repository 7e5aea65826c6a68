import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTree, type ExampleBlock, exampleBlocks, withChange } from '../test/fixtures/example-tree'
import { violations } from '../test/fixtures/import-rules'
import { typeErrors } from '../test/fixtures/type-errors'
import { scriptOf } from './component-scripts.mjs'
import { collect } from './processes.mjs'

const root = join(import.meta.dirname, '..')
// Inside the repository, so that its packages are found.
const tree = join(root, 'test-results/architecture')
const blocks = exampleBlocks(readFileSync(join(root, 'docs/architecture.md'), 'utf8'))
const files = blocks.filter(({ kind }) => kind === 'file')

/** The files that a new one imports, as far as they are of the repository. */
const importsOf = ({ path, text }: ExampleBlock) =>
  [...text.matchAll(/from '([^']+)'/g)].map(([, specifier = '']) => ({
    from: path,
    to: specifier.startsWith('.')
      ? `${posix.join(posix.dirname(path), specifier)}${specifier.endsWith('.vue') ? '' : '.ts'}`
      : specifier.replace(/^#shared\/(.*)$/, 'src/shared/$1.ts'),
    typeOnly: false,
  }))

describe('the walk of docs/architecture.md', () => {
  beforeAll(() => {
    buildTree(
      root,
      tree,
      [
        'src',
        'test/fixtures',
        'test/later-messages.ts',
        'test/own-temporary-folder.ts',
        'package.json',
        'tsconfig.json',
        'vitest.config.ts',
      ],
      blocks,
    )
  })

  it('adds files that are not there, in a place that the layers allow', () => {
    expect(files.length).toBeGreaterThanOrEqual(12)
    expect(files.filter(({ path }) => existsSync(join(root, path)))).toEqual([])
    expect(violations(files.flatMap(importsOf))).toEqual([])
  })

  // A component as its script: the templates of the tree are for vue-tsc.
  it('gives what compiles', { timeout: 240_000 }, () => {
    const declarations = ['src/renderer/env.d.ts', 'src/renderer/vue-files.d.ts']
    const sources = blocks.map(({ path, text }) => {
      if (!path.endsWith('.vue')) return path
      writeFileSync(join(tree, `${path}.ts`), scriptOf(text))
      return `${path}.ts`
    })
    // Checking the whole contract takes longer than all others, and what is added to it is checked where it is used.
    const checked = [...new Set(sources)].filter((path) => path !== 'src/shared/bridge/index.ts')
    expect(typeErrors(tree, [...declarations, ...checked])).toEqual([])
  })

  it('gives what its own test passes', { timeout: 120_000 }, async () => {
    const tests = files.flatMap(({ path }) => (path.endsWith('.test.ts') ? [path] : []))
    expect(tests).not.toEqual([])
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const { code, out, err } = await collect(process.execPath, [vitest, 'run', '--root', tree, ...tests], {
      cwd: tree,
      seconds: 100,
    })
    expect(code, `${out}${err}`).toBe(0)
  })
})

describe('a change of the walk', () => {
  const change = (text: string): ExampleBlock => ({ kind: 'change', path: 'a.ts', text })

  it('replaces, adds and removes lines where its context stands', () => {
    const text = ' one\n+one and a half\n@@\n-two\n+2\n three\n'
    expect(withChange('one\ntwo\nthree\n', change(text))).toBe('one\none and a half\n2\nthree\n')
  })

  it('is refused where its context is absent or there twice', () => {
    expect(() => withChange('one\n', change(' two\n+three\n'))).toThrow('0 times')
    expect(() => withChange('one\none\n', change(' one\n+two\n'))).toThrow('2 times')
  })
})
