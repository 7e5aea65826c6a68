// Does the same as Electron's own default app for `electron FOLDER`: uses the folder's name, version and
// path, and runs its main before the application is ready.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app } from 'electron'

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
  await import(pathToFileURL(join(root, manifest.main)).href)
}
