import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { calls, events, streams } from '../src/shared/bridge/index'
import { en } from '../src/shared/messages/en/index'
import { keysOf, unusedKeys } from '../test/fixtures/message-uses'

const src = join(import.meta.dirname, '../src')
const sourcesOf = (folder: string): readonly string[] =>
  readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|vue)$/.test(file) && !/\.(test|fixture)\.ts$/.test(file))
    .map((file) => join(src, folder, file))
    .filter((file) => !/shared.messages.[^/\\]+[/\\]/.test(file))
    .map((file) => readFileSync(file, 'utf8'))

/** Returns the names that appear in no string of the sources. */
const unnamed = (names: readonly string[], sources: readonly string[]): readonly string[] =>
  names.filter((name) => !sources.some((source) => source.includes(`'${name}'`)))

describe('the contract and the messages contain nothing unused', () => {
  it('the window or the command line makes each call of the bridge', () => {
    const callers = ['renderer', 'main/command-line'].flatMap(sourcesOf)
    expect(unnamed(Object.keys(calls), callers)).toEqual([])
  })

  it('the window opens each stream of the bridge', () => {
    expect(unnamed(Object.keys(streams), sourcesOf('renderer'))).toEqual([])
  })

  it('main pushes each event of the bridge and the window listens', () => {
    expect(unnamed(Object.keys(events), sourcesOf('main'))).toEqual([])
    expect(unnamed(Object.keys(events), sourcesOf('renderer'))).toEqual([])
  })

  it('each message is used', () => {
    expect(unusedKeys(keysOf(en), ['main', 'renderer', 'shared'].flatMap(sourcesOf))).toEqual([])
  })
})

describe('the search for used messages', () => {
  it.each([
    ['a.b', "t('a.b')"],
    ['a.b', '<Word path="a.b" />'],
    ['a.off.title', "const kind = 'off'; t(`a.${kind}.title`)"],
    ['a.off.title', "const kind = 'off'; const path = `a.${kind}`; t(`${path}.title`)"],
    ['a.offPast', "const kind = 'off'; t(`a.${kind}Past`)"],
    ['a.b.c', "const within = (path) => t(`a.${path}`); within('b.c')"],
  ])('finds %s in %s', (key, source) => {
    expect(unusedKeys([key], [source])).toEqual([])
  })

  it.each([
    ['a.b', "t('a.c')"],
    ['a.b', 'a.b'],
    ['a.off.title', "const kind = 'on'; t(`a.${kind}.title`)"],
    ['a.off.text', "const kind = 'off'; t(`a.${kind}.title`)"],
    ['b.off.title', "const kind = 'off'; const path = `a.${kind}`; t(`${path}.title`)"],
  ])('does not find %s in %s', (key, source) => {
    expect(unusedKeys([key], [source])).toEqual([key])
  })
})
