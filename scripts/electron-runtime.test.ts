import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { hostOutOfReach, planRuntime } from './electron-runtime.mjs'
import { findRegistryRuntime, matchesIntegrity } from './registry-runtime.mjs'

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-runtime-'))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('choosing the Electron to run on', () => {
  it('uses the official Electron, and the fallback if its host is unreachable', () => {
    expect(planRuntime({ choice: undefined, platform: 'linux-x64' })).toEqual({
      use: 'official',
      orElse: 'registry',
    })
  })

  it('has no fallback on other systems', () => {
    expect(planRuntime({ choice: undefined, platform: 'darwin-arm64' })).toEqual({ use: 'official' })
    expect(planRuntime({ choice: 'registry', platform: 'win32-x64' })).toHaveProperty('problem')
  })

  it('has no fallback if the user wants the official Electron', () => {
    expect(planRuntime({ choice: 'official', platform: 'linux-x64' })).toEqual({ use: 'official' })
  })

  it('uses the fallback without a network request if the user chose it', () => {
    expect(planRuntime({ choice: 'registry', platform: 'linux-x64' })).toEqual({ use: 'registry' })
  })

  it('rejects a misspelled choice', () => {
    expect(planRuntime({ choice: 'oficial', platform: 'linux-x64' })).toHaveProperty('problem')
  })
})

describe('a failed download', () => {
  const failed = (err: string) => hostOutOfReach({ err, timedOut: false })

  it('counts as a network fault if the host does not respond', () => {
    expect(failed('TypeError: fetch failed\n    at node:internal')).toBe(true)
    expect(failed('HTTPError: Response code 403 (Forbidden) for https://example.org/electron.zip')).toBe(true)
    expect(hostOutOfReach({ err: '', timedOut: true })).toBe(true)
  })

  it('does not lead to another runtime if the download itself is wrong', () => {
    expect(failed('Error: Generated checksum for "electron.zip" did not match expected checksum.')).toBe(
      false,
    )
    expect(failed('Error: ENOSPC: no space left on device, write')).toBe(false)
    expect(failed('HTTPError: Response code 404 (Not Found) for https://example.org/electron.zip')).toBe(
      false,
    )
  })
})

describe('the fallback', () => {
  it('is rejected if its content differs from the pinned one', async () => {
    const file = join(folder, 'package.tgz')
    writeFileSync(file, 'what was pinned')
    const pinned = `sha512-${createHash('sha512').update('what was pinned').digest('base64')}`
    expect(await matchesIntegrity(file, pinned)).toBe(true)
    writeFileSync(file, 'something else')
    expect(await matchesIntegrity(file, pinned)).toBe(false)
  })

  it('counts as installed only with its marker, so that a partial unpacking never runs', () => {
    expect(findRegistryRuntime({ WHEELHOUSE_CACHE: folder })).toBeUndefined()
  })
})
