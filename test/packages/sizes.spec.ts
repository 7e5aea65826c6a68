import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { sizesOf } from '../../scripts/linux-stage.mjs'
import { output } from '../e2e/support/command'

const root = join(import.meta.dirname, '../..')
const asar = join(root, 'node_modules/@electron/asar/bin/asar.js')
const architecture = process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked'

test('the archive contains the build, its icons and three native modules, and nothing else', async () => {
  const archive = join(root, 'dist/test', architecture, 'resources/app.asar')
  const files = (await output(process.execPath, asar, 'list', archive)).split('\n').filter(Boolean)
  const parts = files.map((file) =>
    file.startsWith('/node_modules/') ? file.split('/')[2] : file.split('/')[1],
  )
  expect(new Set(parts)).toEqual(
    new Set([
      '@libsql',
      '@lydell',
      '@neon-rs',
      'build',
      'detect-libc',
      'keytar',
      'libsql',
      'node_modules',
      'out',
      'package.json',
    ]),
  )
  expect(files.filter((file) => /\.(?:map|ts|vue)$|\/test\//.test(file))).toEqual([])
})

test('the application’s parts match docs/packaging.md, within 5 % or half a megabyte', () => {
  const page = readFileSync(join(root, 'docs/packaging.md'), 'utf8')
  for (const { what, megabytes } of sizesOf(join(root, 'dist/test', architecture))) {
    const documented = Number(new RegExp(`^\\| ${what} +\\| +([\\d.]+) *\\|`, 'm').exec(page)?.[1])
    const message = `node scripts/linux-packages.mjs --test-build --fast prints the table: ${what}`
    expect(Math.abs(megabytes - documented), message).toBeLessThan(Math.max(0.5, documented * 0.05))
  }
})
