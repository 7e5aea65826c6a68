import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './application'

/** Folders of the application's native modules. */
const nativeModules = {
  keytar: ['keytar'],
  libsql: ['libsql', '@libsql'],
  'node-pty': ['@lydell'],
} as const

/** The built application outside the checkout, without one of its native modules. */
export const applicationWithout = (missing: keyof typeof nativeModules): string => {
  const folder = mkdtempSync(join(tmpdir(), `wheelhouse-without-${missing}-`))
  cpSync(join(root, 'out'), join(folder, 'out'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  const modules = Object.entries(nativeModules).flatMap(([name, folders]) =>
    name === missing ? [] : [...folders],
  )
  for (const path of ['build', ...modules.map((name) => `node_modules/${name}`)]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(root, path), join(folder, path))
  }
  return folder
}

const run = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** Whether a separate disk is available: that needs root on Linux, and a system that permits mounts. */
export const canMount = (): boolean => {
  if (process.getuid?.() !== 0) return false
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-disk-'))
  const can = run('mount', '-t', 'tmpfs', 'tmpfs', folder) && run('umount', folder)
  rmSync(folder, { recursive: true })
  return can
}

/** Makes a folder read-only, even for root; returns a function that undoes it. */
export const protect = (folder: string): (() => void) => {
  if (process.getuid?.() !== 0) {
    chmodSync(folder, 0o500)
    return () => chmodSync(folder, 0o700)
  }
  if (!run('mount', '--bind', folder, folder) || !run('mount', '-o', 'remount,ro,bind', folder))
    throw new Error('the folder was not protected')
  return () => void run('umount', '-l', folder)
}

/** Mounts a disk of this size, such as 64m, over a folder, with its content; returns a function that unmounts it. */
export const mountDisk = (folder: string, size: string): (() => void) => {
  const copy = mkdtempSync(join(tmpdir(), 'wheelhouse-disk-'))
  cpSync(folder, copy, { recursive: true })
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', folder))
    throw new Error('the disk was not mounted')
  cpSync(copy, folder, { recursive: true })
  rmSync(copy, { recursive: true })
  return () => void run('umount', '-l', folder)
}
