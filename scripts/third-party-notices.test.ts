import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nativePackages, noticeOf, packagesOf } from './third-party-notices.mjs'

describe('third-party notices', () => {
  it('name the packages of a bundle’s modules, once each', () => {
    const ids = [
      '/home/ada/wheelhouse/src/main/index.ts',
      '/home/ada/wheelhouse/node_modules/vue/dist/vue.mjs',
      '/home/ada/wheelhouse/node_modules/vue/index.mjs?commonjs-es-import',
      '\0/home/ada/wheelhouse/node_modules/@fontsource-variable/inter/index.css',
      '/home/ada/wheelhouse/node_modules/libsql/node_modules/detect-libc/lib/detect-libc.js',
      'C:\\wheelhouse\\node_modules\\zod\\v4\\core.js',
    ]
    expect(packagesOf(ids)).toEqual(['@fontsource-variable/inter', 'detect-libc', 'vue', 'zod'])
  })

  it('name the packages next to the bundles, including libsql’s binary for this system', () => {
    const folders = [
      ...readFileSync('electron-builder.yml', 'utf8').matchAll(
        /^ {2}- node_modules\/((?:@[\w-]+\/)?[\w*-]+)/gm,
      ),
    ].map(([, name = '']) => new RegExp(`^${name.replaceAll('*', '[^/]+')}$`))
    expect(folders.length).toBeGreaterThan(4)
    const named = nativePackages()
    expect(folders.filter((folder) => !named.some((name) => folder.test(name)))).toEqual([])
    // npm skips keytar if it cannot be built, and packaging stops then.
    const absent = named.filter((name) => !existsSync(join('node_modules', name)))
    expect(absent.filter((name) => name !== 'keytar')).toEqual([])
    expect(named.filter((name) => name.endsWith('-musl'))).toEqual([])
  })

  it('have the version, licence and licence text of each', () => {
    expect(noticeOf('zod')).toMatch(/^zod [\d.]+ \(MIT\)\n\nMIT License\n/)
  })
})
