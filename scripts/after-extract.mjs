// // A hook of electron-builder that runs after Electron was unpacked and before the application is added.
import { join } from 'node:path'
import { makeCodeCache, removeCodeCache } from './code-cache.mjs'
import refuseRegistryRuntime from './refuse-registry-runtime.mjs'
import { architectures } from './require-native-modules.mjs'
import { root } from './setup.mjs'

/** Path of Electron's own program. */
const programs = new Map([
  ['darwin', 'Electron.app/Contents/MacOS/Electron'],
  ['linux', 'electron'],
  ['win32', 'electron.exe'],
])

/**
 * @param {{ appOutDir: string, arch: number, electronPlatformName: string,
 *   packager: { appInfo: { name: string, productName: string } } }} context
 */
export default async function afterExtract(context) {
  const { appOutDir, arch, electronPlatformName: platform } = context
  await refuseRegistryRuntime(context)
  const folder = join(root, 'out/main')
  const program = programs.get(platform)
  if (!program || platform !== process.platform || architectures.get(arch) !== process.arch) {
    // Another system's Electron cannot run here.
    removeCodeCache(folder)
    return
  }
  const resources = platform === 'darwin' ? 'Electron.app/Contents/Resources' : 'resources'
  await makeCodeCache({
    program: join(appOutDir, program),
    resources: join(appOutDir, resources),
    folder,
  })
}
