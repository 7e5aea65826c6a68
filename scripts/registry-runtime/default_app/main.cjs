// Does the same as Electron's own default app for `electron FOLDER`: uses the folder's name, version and
// path, and runs its main.
const { app } = require('electron')
const { readFileSync } = require('node:fs')
const { join, resolve } = require('node:path')

const folder = process.argv.slice(1).find((argument) => !argument.startsWith('-'))
if (!folder) {
  console.error('Usage: electron FOLDER')
  app.exit(2)
} else {
  const root = resolve(folder)
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  app.setName(manifest.productName ?? manifest.name)
  app.setVersion(manifest.version)
  app.setAppPath(root)
  // Not import(): code that must run before the application is ready would run too late.
  require(join(root, manifest.main))
}
