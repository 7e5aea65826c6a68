import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/**
 * Everything that the tests of a run, and the programs they start, put into the temporary folder goes with it. Its name
 * is short, because sockets lie in it. Vitest sets it up once for each project of its settings: the first one's serves.
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
