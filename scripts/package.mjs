// npm run package: builds the application and puts it, with the official Electron, into dist/ as a folder that runs.
// Arguments go to electron-builder; installers are made with its own targets, as in: npm run package -- --linux deb
import { dirname, join } from 'node:path'
import { runHere } from './processes.mjs'
import { root, runScript, setUp } from './setup.mjs'

await runScript(import.meta.url, async () => {
  const args = process.argv.slice(2)
  process.env.WHEELHOUSE_ELECTRON = 'official'
  const { program } = await setUp()
  const tool = (/** @type {string} */ path) => join(root, 'node_modules', path)
  const built = await runHere(process.execPath, [tool('electron-vite/bin/electron-vite.js'), 'build'], {
    cwd: root,
  })
  if (built !== 0) return built
  // Another system's Electron is electron-builder's to download; this system's is here already.
  const here = args.length === 0 ? ['--dir', `--config.electronDist=${runtimeFolder(program)}`] : args
  return runHere(process.execPath, [tool('electron-builder/cli.js'), '--publish=never', ...here], {
    cwd: root,
  })
})

/** @param {string} program on macOS inside Electron.app/Contents/MacOS */
function runtimeFolder(program) {
  return process.platform === 'darwin' ? join(dirname(program), '../../..') : dirname(program)
}
