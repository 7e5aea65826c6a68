import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTree, type ExampleBlock, exampleBlocks, withChange } from '../test/fixtures/example-tree'
import { describeWith } from '../test/fixtures/system-requirements'
import { typeErrors } from '../test/fixtures/type-errors'
import { scriptOf } from './component-scripts.mjs'
import { collect } from './processes.mjs'

const root = join(import.meta.dirname, '..')
// Inside the repository, so that its packages are found.
const tree = join(root, 'test-results/architecture')
const blocks = exampleBlocks(readFileSync(join(root, 'docs/architecture.md'), 'utf8'))
const files = blocks.filter(({ kind }) => kind === 'file')
/** Lists that have a row for each call of the bridge, or each method of the client: a step may not omit them. */
const complete = ['src/shared/messages/en/actions.ts', 'test/faults/proxy/calls.ts']
/** The tests that a step which somebody forgot fails. */
const ofTheTree = ['coverage', 'imports', 'labels', 'one-way', 'unused', 'words'].map(
  (name) => `scripts/${name}.test.ts`,
)

describeWith(['git'], 'the walk of docs/architecture.md', () => {
  beforeAll(() => {
    buildTree(
      root,
      tree,
      ['src', 'test', 'bench', 'scripts', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts'],
      blocks,
    )
    // What reads the files of the repository asks git for them; nothing of the tree is in one yet.
    execFileSync('git', ['init', '--quiet', tree])
  })

  it('adds files that are not there', () => {
    expect(files.length).toBeGreaterThanOrEqual(12)
    expect(files.filter(({ path }) => existsSync(join(root, path)))).toEqual([])
  })

  // A component as its script: the templates of the tree are for vue-tsc.
  it('gives what compiles', { timeout: 900_000 }, () => {
    const declarations = ['src/renderer/env.d.ts', 'src/renderer/vue-files.d.ts']
    const code = blocks.filter(({ path }) => /\.(ts|vue)$/.test(path))
    const sources = code.map(({ path, text }) => {
      if (!path.endsWith('.vue')) return path
      writeFileSync(join(tree, `${path}.ts`), scriptOf(text))
      return `${path}.ts`
    })
    // Checking the whole contract takes longer than all others, and what is added to it is checked where it is used.
    const checked = [...new Set([...sources, ...complete])].filter(
      (path) => path !== 'src/shared/bridge/index.ts',
    )
    expect(typeErrors(tree, [...declarations, ...checked])).toEqual([])
  })

  it('gives what its own tests pass, and those of the whole tree', { timeout: 900_000 }, async () => {
    const tests = files.flatMap(({ path }) => (path.endsWith('.test.ts') ? [path] : []))
    expect(tests).toHaveLength(2)
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const { code, out, err } = await collect(
      process.execPath,
      [vitest, 'run', '--root', tree, ...tests, ...ofTheTree, 'test/gallery/router.test.ts'],
      { cwd: tree, seconds: 800 },
    )
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
