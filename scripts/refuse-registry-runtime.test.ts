import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import refuseRegistryRuntime, { testBuildName } from './refuse-registry-runtime.mjs'
import { markerName } from './registry-runtime.mjs'

const packagerOf = (name: string, productName = name) => ({ appInfo: { name, productName } })
const packager = packagerOf('wheelhouse', 'Wheelhouse')

describe('packaging', () => {
  let appOutDir = ''
  beforeEach(() => {
    appOutDir = mkdtempSync(join(tmpdir(), 'wheelhouse-package-'))
  })
  afterEach(() => {
    rmSync(appOutDir, { recursive: true, force: true })
  })

  it('accepts the official runtime', async () => {
    await expect(refuseRegistryRuntime({ appOutDir, packager })).resolves.toBeUndefined()
  })

  it('never accepts the fallback, and leaves nothing of it behind', async () => {
    writeFileSync(join(appOutDir, markerName), '')
    await expect(refuseRegistryRuntime({ appOutDir, packager })).rejects.toThrow('never packaged')
    expect(existsSync(appOutDir)).toBe(false)
  })

  it('accepts the fallback in a test build, which has its own name, without the default app', async () => {
    const defaultApp = join(appOutDir, 'resources/default_app.asar')
    writeFileSync(join(appOutDir, markerName), '')
    mkdirSync(defaultApp, { recursive: true })
    await refuseRegistryRuntime({ appOutDir, packager: packagerOf(testBuildName) })
    expect(existsSync(defaultApp)).toBe(false)
    expect(existsSync(join(appOutDir, markerName))).toBe(true)

    const renamed = packagerOf(testBuildName, 'Wheelhouse')
    await expect(refuseRegistryRuntime({ appOutDir, packager: renamed })).rejects.toThrow('never packaged')
  })
})
