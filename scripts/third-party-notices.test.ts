import { describe, expect, it } from 'vitest'
import { noticeOf, packagesOf } from './third-party-notices.mjs'

describe('third-party notices', () => {
  it('name the packages that a bundle’s modules come from, once each', () => {
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

  it('give each its version, its licence and the text of it', () => {
    expect(noticeOf('zod')).toMatch(/^zod [\d.]+ \(MIT\)\n\nMIT License\n/)
  })
})
