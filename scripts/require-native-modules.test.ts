import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { architectureOf, nativeModulesProblem } from './require-native-modules.mjs'

const elf = (machine: number): Buffer => {
  const file = Buffer.alloc(64)
  file.writeUInt32BE(0x7f454c46, 0)
  file.writeUInt16LE(machine, 18)
  return file
}

const machO = (machine: number): Buffer => {
  const file = Buffer.alloc(64)
  file.writeUInt32LE(0xfeedfacf, 0)
  file.writeUInt32LE(machine, 4)
  return file
}

const portable = (machine: number): Buffer => {
  const file = Buffer.alloc(128)
  file.write('MZ')
  file.writeUInt32LE(64, 60)
  file.write('PE\0\0', 64)
  file.writeUInt16LE(machine, 68)
  return file
}

describe('the architecture of a native module', () => {
  it('is read from its header on each system', () => {
    expect([elf(0x3e), machO(0x01000007), portable(0x8664)].map(architectureOf)).toEqual([
      'x64',
      'x64',
      'x64',
    ])
    expect([elf(0xb7), machO(0x0100000c), portable(0xaa64)].map(architectureOf)).toEqual([
      'arm64',
      'arm64',
      'arm64',
    ])
    expect([elf(0x28), Buffer.alloc(200), Buffer.from('text')].map(architectureOf)).toEqual([
      'unknown',
      'unknown',
      'unknown',
    ])
    expect(architectureOf(readFileSync(process.execPath))).toBe(process.arch)
  })
})

describe('a package', () => {
  let resources = ''
  const place = (module: string, content: Buffer): void => {
    const file = join(resources, 'app.asar.unpacked/node_modules', module)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  beforeEach(() => {
    resources = mkdtempSync(join(tmpdir(), 'wheelhouse-resources-'))
  })
  afterEach(() => {
    rmSync(resources, { recursive: true })
  })

  it('has the keychain’s, the terminals’ and the store’s modules of its own architecture', () => {
    expect(nativeModulesProblem(resources, 'x64')).toContain('keytar.node is missing')
    place('keytar/build/Release/keytar.node', elf(0x3e))
    expect(nativeModulesProblem(resources, 'x64')).toContain('@lydell/none/pty.node is missing')
    place('@lydell/node-pty-linux-x64/pty.node', elf(0x3e))
    expect(nativeModulesProblem(resources, 'x64')).toContain('@libsql/none/index.node is missing')
    place('@libsql/linux-x64-gnu/index.node', elf(0x3e))
    expect(nativeModulesProblem(resources, 'x64')).toBeUndefined()
    expect(nativeModulesProblem(resources, 'arm64')).toContain('is for x64, and this package for arm64')
  })
})
