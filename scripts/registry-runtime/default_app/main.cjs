// What Electron's own default app does for `electron FOLDER`: take the folder's name, version and path, run its main.
const { app } = require('electron')
const { readFileSync } = require('node:fs')
const { join, resolve } = require('node:path')
const { pathToFileURL } = require('node:url')

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
  import(pathToFileURL(join(root, manifest.main)).href).catch((error) => {
    console.error(error)
    app.exit(1)
  })
}
