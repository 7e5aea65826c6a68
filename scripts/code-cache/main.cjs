// Loads the scripts of main that a start evaluates, in the Electron that they are packaged with, and keeps what V8 has
// compiled beside each of them (src/main/core/code-cache.ts). Ends before Electron is ready, and so needs no display.
//   WHEELHOUSE_SCRIPTS  the folder of the scripts
//   WHEELHOUSE_CHECK    set: keeps nothing, and prints for each script whether V8 accepts what is there
const { createHash } = require('node:crypto')
const { existsSync, readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { createRequire, Module } = require('node:module')
const { basename, dirname, join } = require('node:path')
const { Script } = require('node:vm')
const { app } = require('electron')

const folder = process.env.WHEELHOUSE_SCRIPTS ?? ''

function keep() {
  /** @type {Map<string, { script: Script, source: string }>} */
  const loaded = new Map()
  // Evaluated, but not started: no window, no lock, no data.
  app.whenReady = () => new Promise(() => undefined)
  app.requestSingleInstanceLock = () => true
  require.extensions['.cjs'] = (module, filename) => {
    const source = readFileSync(filename, 'utf8')
    const script = new Script(Module.wrap(source), { filename })
    loaded.set(filename, { script, source })
    script.runInThisContext()(module.exports, createRequire(filename), module, filename, dirname(filename))
  }
  const later = readdirSync(folder).filter((name) => /^(?:application|run-here)-.*\.cjs$/.test(name))
  for (const name of ['index.cjs', ...later]) require(join(folder, name))
  // Last, so that it also contains functions that ran until now.
  for (const [filename, { script, source }] of loaded) {
    const code = script.createCachedData()
    const digest = createHash('sha256').update(source).update(code).digest()
    writeFileSync(`${filename}.cache`, Buffer.concat([digest, code]))
  }
}

function check() {
  for (const name of readdirSync(folder)) {
    const filename = join(folder, name)
    if (!existsSync(`${filename}.cache`)) continue
    const code = readFileSync(`${filename}.cache`).subarray(32)
    const source = Module.wrap(readFileSync(filename, 'utf8'))
    const { cachedDataRejected } = new Script(source, { filename, cachedData: code })
    console.log(`${basename(filename)} ${cachedDataRejected === false ? 'accepted' : 'rejected'}`)
  }
}

try {
  if (process.env.WHEELHOUSE_CHECK) check()
  else keep()
  process.exit(0)
} catch (error) {
  console.error(error)
  process.exit(1)
}
