import { expect, it } from 'vitest'
import { feedOf } from './package.mjs'
import { mergedFeed } from './release.mjs'

it('only a package built in a repository names it as the place of its updates', () => {
  expect(feedOf({ GITHUB_REPOSITORY: 'acme-labs/wheelhouse.app' })).toEqual([
    '--config.publish.provider=github',
    '--config.publish.owner=acme-labs',
    '--config.publish.repo=wheelhouse.app',
  ])
  for (const GITHUB_REPOSITORY of [undefined, '', 'wheelhouse', 'a/b/c', 'a b/c'])
    expect(feedOf({ GITHUB_REPOSITORY })).toEqual([])
})

it('one feed has the files of both architectures of macOS', () => {
  const feed = (arch: string) =>
    `version: 1.1.0\nfiles:\n  - url: wheelhouse-mac-${arch}.zip\n    sha512: ${arch}==\n    size: 7\npath: wheelhouse-mac-${arch}.zip\nsha512: ${arch}==\nreleaseDate: '2026-01-01'\n`
  expect(mergedFeed([feed('arm64'), feed('x64')])).toBe(
    feed('arm64').replace('path:', '  - url: wheelhouse-mac-x64.zip\n    sha512: x64==\n    size: 7\npath:'),
  )
  expect(() => mergedFeed([])).toThrow('a feed names no files')
  expect(() => mergedFeed([feed('x64'), 'version: 1.1.0\n'])).toThrow('a feed names no files')
})
