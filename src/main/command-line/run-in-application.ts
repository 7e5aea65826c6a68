import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandRun } from '#shared/bridge/command-line'
import { commandAddressFile } from '#shared/command-address'
import { screenOf } from './screen'
import { isOwnSocket, sendTo } from './socket'

// Loads nothing large: a schema or the texts take longer than the whole command.

/** Commands that only read and print. The application runs them faster than a new process loads them. */
export const readingCommands: ReadonlySet<string> = new Set([
  'budget',
  'cost',
  'gpus',
  'jobs',
  'ls',
  'show',
  'waste',
])
/** Variables that change the output of a command. */
const variables = ['LANGUAGE', 'LC_ALL', 'LC_MESSAGES', 'LANG', 'TZ'] as const

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const readObject = (text: string): Readonly<Record<string, unknown>> => {
  const value: unknown = JSON.parse(text)
  return isRecord(value) ? value : {}
}

/** Standard output of a command, and its exit code. */
export interface Finished {
  readonly printed: string
  readonly code: number
}

/**
 * Asks the running application to run a command. Returns null if the command must run in this process: it does more than
 * read, it fails, it must wait, or the application does not run. Never fails.
 */
export async function runInApplication(
  words: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Finished | null> {
  const [name = ''] = words
  if (!readingCommands.has(name)) return null
  const run: CommandRun = {
    run: [...words],
    ...screenOf(env),
    environment: Object.fromEntries(variables.map((variable) => [variable, env[variable]])),
  }
  try {
    const { path, token } = readObject(await readFile(join(folder, commandAddressFile), 'utf8'))
    if (typeof path !== 'string' || !(await isOwnSocket(path))) return null
    const { printed, code } = readObject(await sendTo(path, JSON.stringify({ ...run, token })))
    return typeof printed === 'string' && typeof code === 'number' ? { printed, code } : null
  } catch {
    return null
  }
}
