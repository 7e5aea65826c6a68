import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { sizesOf } from '../../scripts/linux-stage.mjs'

const root = join(import.meta.dirname, '../..')
const architecture = process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked'

test('the application is made of what docs/packaging.md says, within 5 % or half a megabyte', () => {
  const page = readFileSync(join(root, 'docs/packaging.md'), 'utf8')
  for (const { what, megabytes } of sizesOf(join(root, 'dist/test', architecture))) {
    const documented = Number(new RegExp(`^\\| ${what} +\\| +([\\d.]+) *\\|`, 'm').exec(page)?.[1])
    const message = `node scripts/linux-packages.mjs --test-build --fast prints the table: ${what}`
    expect(Math.abs(megabytes - documented), message).toBeLessThan(Math.max(0.5, documented * 0.05))
  }
})
