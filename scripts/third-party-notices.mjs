// The licences of the application's contents: electron.vite.config.ts records the packages of each bundle,
// scripts/package.mjs writes their texts into one file.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const folder = join(root, 'out/third-party')

/**
 * Packages next to the bundles (electron-builder.yml): binaries of libsql and node-pty are separate packages.
 */
export const nativePackages = () => [
  'keytar',
  'libsql',
  '@neon-rs/load',
  'detect-libc',
  ...readdirSync(join(root, 'node_modules/@libsql'))
    .filter((name) => !name.endsWith('-musl'))
    .map((name) => `@libsql/${name}`),
  ...readdirSync(join(root, 'node_modules/@lydell')).map((name) => `@lydell/${name}`),
]

const byName = (/** @type {string} */ one, /** @type {string} */ other) => (one < other ? -1 : 1)

/**
 * Returns the packages of modules, as paths from node_modules on. Pure.
 *
 * @param {Iterable<string>} ids of modules, in Rollup's form
 * @returns {string[]} sorted
 */
export const packagesOf = (ids) => {
  const found = new Set()
  for (const id of ids) {
    const [, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/@?][^/?]*)\//.exec(id.replaceAll('\\', '/')) ?? []
    if (name) found.add(name)
  }
  return [...found].sort(byName)
}

/**
 * Records the packages of a bundle.
 *
 * @param {string} bundle its name
 * @returns {import('vite').Plugin}
 */
export const notePackages = (bundle) => ({
  name: 'note-packages',
  generateBundle() {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${bundle}.json`), JSON.stringify(packagesOf(this.getModuleIds())))
  },
})

/**
 * @param {string} name of a package
 * @returns {string} its name, version and licence, and the licence's text if it contains one
 */
export const noticeOf = (name) => {
  const home = join(root, 'node_modules', name)
  const { version, license } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const texts = readdirSync(home, { withFileTypes: true })
    .filter((file) => file.isFile() && /^(licen[cs]e|notice|copying)/i.test(file.name))
    .map((file) => readFileSync(join(home, file.name), 'utf8').trim())
  return [`${name} ${version} (${license ?? 'licence in the text below'})`, ...texts].join('\n\n')
}

/** Writes out/third-party/THIRD-PARTY-NOTICES.txt; called after the bundles are built. */
export const writeNotices = () => {
  const bundled = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
  const names = [...new Set([...bundled, ...nativePackages()])]
    .filter((name) => existsSync(join(root, 'node_modules', name)))
    .sort(byName)
  const text = [
    'Wheelhouse contains the software below. Electron and Chromium: LICENSE.electron.txt and LICENSES.chromium.html.',
    ...names.map(noticeOf),
  ]
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), `${text.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
}
