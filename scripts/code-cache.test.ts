import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeCodeCache } from './code-cache.mjs'

describe('the code cache of main', () => {
  let work = ''
  beforeEach(() => {
    work = mkdtempSync(join(tmpdir(), 'wheelhouse-code-cache-'))
    for (const name of ['scripts', 'resources']) mkdirSync(join(work, name))
    for (const name of ['index.cjs', 'index.cjs.cache']) writeFileSync(join(work, 'scripts', name), '')
  })
  afterEach(() => {
    rmSync(work, { recursive: true, force: true })
  })

  it.each(['false', 'no-such-program'])(
    'is left out if Electron does not run (%s), and packaging continues',
    async (program) => {
      const [folder, resources] = [join(work, 'scripts'), join(work, 'resources')]
      await makeCodeCache({ program, resources, folder })
      expect(readdirSync(folder)).toEqual(['index.cjs'])
      expect(existsSync(join(resources, 'app'))).toBe(false)
    },
  )
})
