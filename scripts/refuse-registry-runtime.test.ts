import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import refuseRegistryRuntime from './refuse-registry-runtime.mjs'
import { markerName } from './registry-runtime.mjs'

describe('packaging', () => {
  let appOutDir = ''
  beforeEach(() => {
    appOutDir = mkdtempSync(join(tmpdir(), 'wheelhouse-package-'))
  })
  afterEach(() => {
    rmSync(appOutDir, { recursive: true, force: true })
  })

  it('accepts the official runtime', async () => {
    await expect(refuseRegistryRuntime({ appOutDir })).resolves.toBeUndefined()
  })

  it('never accepts the fallback, and leaves nothing of it behind', async () => {
    writeFileSync(join(appOutDir, markerName), '')
    await expect(refuseRegistryRuntime({ appOutDir })).rejects.toThrow('never packaged')
    expect(existsSync(appOutDir)).toBe(false)
  })
})
