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
/** Lists with a row for each call of the bridge, or each method of the client. A step may not omit them. */
const complete = ['src/shared/messages/en/actions.ts', 'test/faults/proxy/calls.ts']
/** Tests that fail for a forgotten step. */
const ofTheTree = ['coverage', 'imports', 'labels', 'one-way', 'unused', 'words'].map(
  (name) => `scripts/${name}.test.ts`,
)

describeWith(['git'], 'the example of docs/architecture.md', () => {
  beforeAll(() => {
    buildTree(
      root,
      tree,
      ['src', 'test', 'bench', 'scripts', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts'],
      blocks,
    )
    // Tests that read the repository's files get them from git, and nothing of the tree is committed yet.
    execFileSync('git', ['init', '--quiet', tree])
  })

  it('adds files that do not exist yet', () => {
    expect(files.length).toBeGreaterThanOrEqual(9)
    expect(files.filter(({ path }) => existsSync(join(root, path)))).toEqual([])
  })

  // Components are checked as scripts: vue-tsc checks the templates of the tree.
  it('compiles', { timeout: 900_000 }, () => {
    const declarations = ['src/renderer/env.d.ts', 'src/renderer/vue-files.d.ts']
    const code = blocks.filter(({ path }) => /\.(ts|vue)$/.test(path))
    const sources = code.map(({ path, text }) => {
      if (!path.endsWith('.vue')) return path
      writeFileSync(join(tree, `${path}.ts`), scriptOf(text))
      return `${path}.ts`
    })
    // Checking the whole contract takes longest, and added calls are checked where they are used.
    const checked = [...new Set([...sources, ...complete])].filter(
      (path) => path !== 'src/shared/bridge/index.ts',
    )
    expect(typeErrors(tree, [...declarations, ...checked])).toEqual([])
  })

  it('passes its own tests and the tests of the whole tree', { timeout: 900_000 }, async () => {
    const tests = files.flatMap(({ path }) => (path.endsWith('.test.ts') ? [path] : []))
    expect(tests).toHaveLength(1)
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const { code, out, err } = await collect(
      process.execPath,
      [vitest, 'run', '--root', tree, ...tests, ...ofTheTree],
      { cwd: tree, seconds: 800 },
    )
    expect(code, `${out}${err}`).toBe(0)
  })
})

describe('a change of the example', () => {
  const change = (text: string): ExampleBlock => ({ kind: 'change', path: 'a.ts', text })

  it('replaces, adds and removes lines at its context', () => {
    const text = ' one\n+one and a half\n@@\n-two\n+2\n three\n'
    expect(withChange('one\ntwo\nthree\n', change(text))).toBe('one\none and a half\n2\nthree\n')
  })

  it('is rejected if its context is missing or appears twice', () => {
    expect(() => withChange('one\n', change(' two\n+three\n'))).toThrow('0 times')
    expect(() => withChange('one\none\n', change(' one\n+two\n'))).toThrow('2 times')
  })
})
