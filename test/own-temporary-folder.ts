import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/**
 * Temporary folder of all tests of a run and their programs, deleted at the end. Its name is short, because it
 * contains sockets. Vitest runs this once for each project of its settings: the first one's is used.
 */
export default function setup(): (() => void) | undefined {
  const prefix = 'wh-unit-'
  if (basename(tmpdir()).startsWith(prefix)) return undefined
  const folder = mkdtempSync(join(tmpdir(), prefix))
  const names = ['TMPDIR', 'TEMP', 'TMP']
  const before = names.map((name) => [name, process.env[name]] as const)
  for (const name of names) process.env[name] = folder
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = value
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
