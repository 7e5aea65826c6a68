import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { checkCodeCache } from '../../scripts/code-cache.mjs'
import { setUp } from '../../scripts/setup.mjs'

const architecture = process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked'
const scripts = join(import.meta.dirname, '../../dist/test', architecture, 'resources/app.asar/out/main')

test('V8 accepts the code cache of every script that a start loads', async () => {
  const { program } = await setUp()
  const results = await checkCodeCache(program, scripts)
  expect(results.filter((line) => !line.endsWith(' accepted'))).toEqual([])
  for (const name of ['index', 'emitter', 'bridge', 'resource-modules', 'modules', 'application'])
    expect(
      results.some((line) => line.startsWith(name)),
      name,
    ).toBe(true)
})

// A script that is loaded with its code cache cannot have one.
test('no script of main with a code cache contains import()', () => {
  const built = join(import.meta.dirname, '../../out/main')
  const names = readdirSync(built).filter((name) => existsSync(join(built, `${name}.cache`)))
  expect(names.length).toBeGreaterThan(6)
  expect(names.filter((name) => /\bimport\(/.test(readFileSync(join(built, name), 'utf8')))).toEqual([])
})
