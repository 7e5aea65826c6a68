// A hook of electron-builder: stops if a native module is missing, or installed for another architecture.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** electron-builder's numbers for architectures. */
export const architectures = new Map([
  [1, 'x64'],
  [3, 'arm64'],
])

/** Number of the machine in the header, by byte and architecture: ELF, Mach-O, PE. */
const x64Machines = new Set([0x3e, 0x01000007, 0x8664])
const arm64Machines = new Set([0xb7, 0x0100000c, 0xaa64])

/**
 * Returns the architecture of a program or library. Pure.
 *
 * @param {Buffer} file
 * @returns {'x64' | 'arm64' | 'unknown'}
 */
export const architectureOf = (file) => {
  if (file.length < 64) return 'unknown'
  const machine = () => {
    if (file.readUInt32BE(0) === 0x7f454c46) return file.readUInt16LE(18)
    if (file.readUInt32LE(0) === 0xfeedfacf) return file.readUInt32LE(4)
    const header = file.readUInt32LE(60)
    return file.readUInt16LE(0) === 0x5a4d && header + 6 <= file.length ? file.readUInt16LE(header + 4) : 0
  }
  const number = machine()
  if (x64Machines.has(number)) return 'x64'
  return arm64Machines.has(number) ? 'arm64' : 'unknown'
}

/**
 * Returns the fault in the native modules of a packaged application.
 *
 * @param {string} resources its folder of resources
 * @param {string} architecture
 * @returns {string | undefined} undefined if there is none
 */
export const nativeModulesProblem = (resources, architecture) => {
  const modules = join(resources, 'app.asar.unpacked/node_modules')
  const store = join(modules, '@libsql')
  const stores = existsSync(store) ? readdirSync(store) : []
  const terminals = join(modules, '@lydell')
  const ptys = existsSync(terminals)
    ? readdirSync(terminals).filter((name) => name.startsWith('node-pty-'))
    : []
  for (const file of [
    join(modules, 'keytar/build/Release/keytar.node'),
    ...(ptys.length > 0 ? ptys : ['none']).map((name) => join(terminals, name, 'pty.node')),
    ...(stores.length > 0 ? stores : ['none']).map((name) => join(store, name, 'index.node')),
  ]) {
    if (!existsSync(file)) return `${file} is missing: install the packages with their optional ones.`
    const found = architectureOf(readFileSync(file))
    if (found !== architecture) return `${file} is for ${found}, and this package for ${architecture}.`
  }
  return undefined
}

/**
 * @param {{ appOutDir: string, arch: number, packager: { getResourcesDir(appOutDir: string): string } }} context
 */
export default async function requireNativeModules({ appOutDir, arch, packager }) {
  const problem = nativeModulesProblem(
    packager.getResourcesDir(appOutDir),
    architectures.get(arch) ?? String(arch),
  )
  if (problem) throw new Error(problem)
}
