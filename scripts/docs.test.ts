import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((page) => `docs/${page}`)]

describe('the pages for maintainers', () => {
  it.each(pages.filter((page) => page.endsWith('.md')))('%s names files that exist', (page) => {
    // A block with a file in its fence is an example (architecture.test.ts) that does not exist yet.
    const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```\w+ [\s\S]*?^```$/gm, '')
    const paths = [...text.matchAll(/`((?:src|test|scripts|bench|docs)\/[\w./-]+)`/g)].map(
      ([, path = '']) => path,
    )
    const links = [...text.matchAll(/\]\(([\w./-]+\.md)\)/g)].map(([, link = '']) => `docs/${link}`)
    const found = page === 'README.md' ? paths : [...paths, ...links]
    expect(found.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
